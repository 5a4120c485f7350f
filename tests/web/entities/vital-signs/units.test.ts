import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NewVitalSigns } from '#contracts/vital-signs.ts'
import { vitalSignLimits, vitalSigns } from '#contracts/values/vital-signs.ts'
import { formatValues } from '#web/entities/vital-signs/labels.ts'
import { findUnits, formatValue, toShown, toStored, type Units } from '#web/entities/vital-signs/units.ts'

const patientId = '018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0003'

describe('the units of a practice', () => {
  it('follow the country of its phone number', () => {
    expect(findUnits('(617) 555-0142')).toBe('us')
    expect(findUnits('+1 617 555 0142')).toBe('us')
    expect(findUnits('+44 20 7946 0018')).toBe('metric')
    expect(findUnits('')).toBe('us')
  })

  it('are those of the United States, or metric', () => {
    expect(formatValue('temperature', 37, 'us')).toBe('98.6 °F')
    expect(formatValue('temperature', 36.89, 'metric')).toBe('36.9 °C')
    expect(formatValue('weight', 74.84, 'us')).toBe('165 lb')
    expect(formatValue('height', 172.7, 'us')).toBe('68 in')
    expect(formatValue('heartRate', 72, 'us')).toBe('72/min')
    expect(formatValue('oxygenSaturation', 98, 'metric')).toBe('98%')
    expect(toStored('temperature', '37,5', 'metric')).toBe(37.5)
    expect(toStored('weight', 'heavy', 'us')).toBeNaN()
  })

  it('show what was typed, whatever is stored', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...vitalSigns),
        fc.constantFrom<Units>('us', 'metric'),
        fc.integer({ min: 0, max: 1_000 }),
        (name, units, thousandth) => {
          const { min, max } = vitalSignLimits[name]
          const typed = toShown(name, min + ((max - min) * thousandth) / 1_000, units)
          const entered = NewVitalSigns.safeParse({ patientId, [name]: toStored(name, String(typed), units) })
          // At the very limits, rounding may lead beyond them.
          if (!entered.success) return expect([0, 1_000]).toContain(thousandth)
          expect(toShown(name, entered.data[name] ?? 0, units)).toBe(typed)
        },
      ),
    )
  })
})

it('formats the values of a measurement in one line', () => {
  const none = Object.fromEntries(vitalSigns.map((name) => [name, null])) as Parameters<typeof formatValues>[0]
  expect(formatValues({ ...none, heartRate: 72 }, 'us')).toBe('72/min')
  expect(
    formatValues({ ...none, systolicPressure: 124, diastolicPressure: 82, temperature: 37, painScore: 0 }, 'us'),
  ).toBe('124/82 mmHg, 98.6 °F, pain 0 of 10')
})
