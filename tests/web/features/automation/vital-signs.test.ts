import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { VitalSigns } from '#contracts/vital-signs.ts'
import { vitalSigns } from '#contracts/values/vital-signs.ts'
import { computeTicks } from '#web/ui/axis-ticks.ts'
import {
  findCourses,
  findLatest,
  isAdultOn,
  labelPoints,
  sortMeasurements,
} from '#web/features/automation/vital-signs/summarize.ts'

const none = Object.fromEntries(vitalSigns.map((name) => [name, null]))
const measure = (measuredAt: string, values: Partial<VitalSigns>) =>
  ({
    ...none,
    bodyMassIndex: null,
    vitalSignsStatus: 'recorded',
    measuredAt: `${measuredAt}T15:00:00.000Z`,
    ...values,
  }) as VitalSigns
const about = { birthDate: '1980-01-02', units: 'us' } as const

describe('the latest values', () => {
  const sorted = sortMeasurements([
    measure('2026-10-01', { systolicPressure: 132, diastolicPressure: 78, heartRate: 70, weight: 75 }),
    measure('2026-11-01', { heartRate: 135 }),
    measure('2026-11-20', { heartRate: 60, vitalSignsStatus: 'entered-in-error' }),
    measure('2026-10-20', { weight: 74.84, height: 172.7, bodyMassIndex: 25.1 }),
  ])

  it('are the last measured of each kind, with the graver level of both pressures', () => {
    expect(findLatest(sorted, about)).toEqual([
      expect.objectContaining({ name: 'bloodPressure', text: '132/78 mmHg', level: 'high' }),
      expect.objectContaining({ name: 'heartRate', text: '135/min', level: 'very-high' }),
      expect.objectContaining({ name: 'weight', text: '165 lb', level: null }),
      expect.objectContaining({ name: 'height', level: null, measuredAt: '2026-10-20T15:00:00.000Z' }),
      expect.objectContaining({ name: 'bodyMassIndex', text: '25.1 kg/m²', level: 'high' }),
    ])
  })

  it('have no level for children, nor where the birth date is not known', () => {
    for (const birthDate of ['2012-05-01', null])
      expect(findLatest(sorted, { ...about, birthDate }).map(({ level }) => level)).toEqual(
        Array.from({ length: 5 }, () => null),
      )
    expect([isAdultOn('2008-02-29', '2026-02-28'), isAdultOn('2008-02-29', '2026-03-01')]).toEqual([false, true])
  })

  it('have a body mass index by the last weight, and the last height of an adult', () => {
    const values = sortMeasurements([
      measure('2026-10-01', { weight: 80, height: 172.7, bodyMassIndex: 26.8 }),
      measure('2026-11-01', { weight: 74.84 }),
    ])
    const findIndex = (birthDate: string) =>
      findLatest(values, { ...about, birthDate }).find(({ name }) => name === 'bodyMassIndex')
    expect(findIndex('1980-01-02')).toMatchObject({ text: '25.1 kg/m²', measuredAt: '2026-11-01T15:00:00.000Z' })
    expect(findIndex('2012-05-01')).toBeUndefined()
  })

  it('have a course once they were measured twice, the oldest first', () => {
    expect(findCourses(sorted, 'metric')).toMatchObject([
      { name: 'heartRate', points: [{ values: [70] }, { values: [135] }] },
      { name: 'weight', points: [{ values: [75] }, { values: [74.8] }] },
    ])
  })
})

describe('a chart of a course', () => {
  it('has another label for each point', () => {
    const toDay = (instant: string) => instant.slice(0, 10)
    const toTime = (instant: string) => instant.slice(0, 16)
    const instants = ['2026-11-01T09:00:00Z', '2026-11-02T09:00:00Z', '2026-11-02T09:00:30Z', '2026-11-02T11:00:00Z']
    expect(labelPoints(instants, toDay, toTime)).toEqual([
      '2026-11-01',
      '2026-11-02T09:00',
      '2026-11-02T09:00 (2)',
      '2026-11-02T11:00',
    ])
  })

  it('has an axis around its values, with few ticks', () => {
    expect(computeTicks(97.9, 101.2)).toEqual([97, 98, 99, 100, 101, 102])
    expect(computeTicks(120, 120)).toEqual([119, 120, 121])
    expect(computeTicks(98.6, 98.6)).toEqual([98.5, 98.6, 98.7])
    const value = fc.integer({ min: 1, max: 65_000 }).map((tenths) => tenths / 100)
    fc.assert(
      fc.property(value, value, (one, other) => {
        const [lowest, highest] = [Math.min(one, other), Math.max(one, other)]
        const ticks = computeTicks(lowest, highest)
        expect(ticks.length).toBeLessThanOrEqual(8)
        expect(ticks[0]).toBeLessThanOrEqual(lowest)
        expect(ticks.at(-1)).toBeGreaterThanOrEqual(highest)
        expect(new Set(ticks).size).toBe(ticks.length)
      }),
    )
  })
})
