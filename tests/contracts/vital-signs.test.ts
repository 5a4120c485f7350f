import fc from 'fast-check'
import { expect, it } from 'vitest'
import { NewVitalSigns, VitalSignsChange } from '#contracts/vital-signs.ts'
import {
  computeBodyMassIndex,
  findAdultLevel,
  findVitalSignsProblem,
  type VitalLevel,
  vitalSigns,
  type VitalValues,
} from '#contracts/values/vital-signs.ts'

const none = Object.fromEntries(vitalSigns.map((name) => [name, null])) as VitalValues
const patientId = '018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0003'

it('has at least one value, and both pressures in their order', () => {
  expect(findVitalSignsProblem(none)?.field).toBe('systolicPressure')
  expect(findVitalSignsProblem({ ...none, painScore: 0 })).toBeNull()
  expect(findVitalSignsProblem({ ...none, systolicPressure: 120 })?.field).toBe('diastolicPressure')
  expect(findVitalSignsProblem({ ...none, diastolicPressure: 80 })?.field).toBe('systolicPressure')
  expect(findVitalSignsProblem({ ...none, systolicPressure: 80, diastolicPressure: 80 })?.field).toBe(
    'diastolicPressure',
  )
  expect(findVitalSignsProblem({ ...none, systolicPressure: 81, diastolicPressure: 80 })).toBeNull()
})

it('accepts numbers within limits only, and rounds them', () => {
  const parse = (values: object) => NewVitalSigns.safeParse({ patientId, ...values })
  expect(parse({ temperature: 36.888 }).data?.temperature).toBe(36.89)
  expect(parse({ heartRate: 71.6 }).data?.heartRate).toBe(72)
  for (const values of [{ temperature: 98.6 }, { heartRate: '72' }, { painScore: 11 }, { weight: NaN }, { pulse: 72 }])
    expect(parse(values).success).toBe(false)
  expect(parse({ temperature: 98.6 }).error?.issues[0]?.message).toBe(
    'Please enter a number from 25 to 45 °C (77 to 113 °F)',
  )
  expect(VitalSignsChange.safeParse({ measuredAt: '2026-11-20T09:00:00-05:00' }).data?.measuredAt).toBe(
    '2026-11-20T14:00:00.000Z',
  )
  expect(VitalSignsChange.safeParse({ measuredAt: null }).success).toBe(false)
})

it('computes the body mass index from weight and height', () => {
  expect(computeBodyMassIndex({ weight: 74.84, height: 172.7 })).toBe(25.1)
  expect(computeBodyMassIndex({ weight: 74.84, height: null })).toBeNull()
})

it('knows the levels of adults at their limits', () => {
  const levels = (name: Parameters<typeof findAdultLevel>[0], ...values: number[]) =>
    values.map((value) => findAdultLevel(name, value))
  expect(levels('systolicPressure', 89, 90, 129, 130, 180, 181)).toEqual([
    'low',
    'usual',
    'usual',
    'high',
    'high',
    'very-high',
  ])
  expect(levels('diastolicPressure', 59, 60, 79, 80, 120, 121)).toEqual([
    'low',
    'usual',
    'usual',
    'high',
    'high',
    'very-high',
  ])
  expect(levels('oxygenSaturation', 91, 92, 95, 96)).toEqual(['very-low', 'low', 'low', 'usual'])
  expect(levels('temperature', 35, 36, 36.1, 38, 38.1, 39.1)).toEqual([
    'very-low',
    'low',
    'usual',
    'usual',
    'high',
    'very-high',
  ])
  expect(levels('weight', 30, 300)).toEqual(['usual', 'usual'])
})

it('has levels that rise with the value', () => {
  const order: VitalLevel[] = ['very-low', 'low', 'usual', 'high', 'very-high']
  const names = [...vitalSigns, 'bodyMassIndex'] as const
  fc.assert(
    fc.property(fc.constantFrom(...names), fc.nat(400), fc.nat(400), (name, one, other) => {
      const [lower, higher] = [Math.min(one, other), Math.max(one, other)].map((value) =>
        order.indexOf(findAdultLevel(name, value)),
      )
      expect(lower).toBeLessThanOrEqual(higher ?? -1)
    }),
  )
})
