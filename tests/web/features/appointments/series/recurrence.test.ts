import { describe, expect, it } from 'vitest'
import type { PlannedAppointment } from '#contracts/appointment-series.ts'
import type { FreeSlot } from '#contracts/appointments.ts'
import {
  resolveAll,
  type ConflictResolutions,
  noRecurrence,
  computeOutcome,
  describeOutcome,
  parseRecurrence,
  toRecurrenceField,
  toResolutionsBody,
  describeRecurrence,
  findRemainingSlots,
  findUnresolved,
} from '#web/features/appointments/series/recurrence.ts'

const weekly = { ...noRecurrence, unit: 'week' as const }
const slot = (localDate: string, localTime: string) =>
  ({
    start: `${localDate}T${localTime}:00.000Z`,
    end: new Date(Date.parse(`${localDate}T${localTime}:00.000Z`) + 1_800_000).toISOString(),
    localDate,
    localTime,
  }) as FreeSlot
const planned = (index: number, localDate: string, freeSlots: FreeSlot[] = []): PlannedAppointment => ({
  index,
  ...slot(localDate, '09:00'),
  isAdjusted: false,
  conflict: freeSlots.length > 0 ? ({ patientName: 'Ada Lovelace' } as PlannedAppointment['conflict']) : null,
  freeSlots,
})

describe('the recurrence of an appointment', () => {
  it('is absent, or ends after a count or on a day', () => {
    expect(parseRecurrence(noRecurrence)).toEqual({ recurrence: null, errors: {} })
    expect(parseRecurrence({ ...weekly, every: '2', until: 'not asked for' }).recurrence).toEqual({
      every: 2,
      unit: 'week',
      count: 6,
    })
    expect(parseRecurrence({ ...weekly, ends: 'until', until: '2027-01-12' }).recurrence).toEqual({
      every: 1,
      unit: 'week',
      until: '2027-01-12',
    })
  })

  it.each([
    [{ every: '' }, 'every'],
    [{ every: '0' }, 'every'],
    [{ every: '1.5' }, 'every'],
    [{ count: '1' }, 'count'],
    [{ count: '53' }, 'count'],
    [{ count: '' }, 'count'],
    [{ ends: 'until' as const, until: '' }, 'until'],
  ])('reports an error at its input: %o', (overrides, field) => {
    const { recurrence, errors } = parseRecurrence({ ...weekly, ...overrides })
    expect(recurrence).toBeNull()
    expect(Object.keys(errors)).toEqual([field])
  })

  it('shows an error of the server at its input', () => {
    expect(toRecurrenceField('recurrence.every', 'count')).toBe('every')
    expect(toRecurrenceField('recurrence.until', 'count')).toBe('count')
    expect(toRecurrenceField('recurrence', 'until')).toBe('until')
    expect(toRecurrenceField('resolutions', 'until')).toBeNull()
  })

  it('is described in a sentence', () => {
    expect(describeRecurrence({ every: 2, unit: 'week' }, '2026-11-03', '09:00')).toBe(
      'Every 2 weeks on Tuesday at 9:00 AM',
    )
    expect(describeRecurrence({ every: 1, unit: 'day' }, '2026-11-03', '14:30')).toBe('Every day at 2:30 PM')
    for (const [date, day] of [
      ['2026-11-03', '3rd'],
      ['2026-11-11', '11th'],
      ['2026-11-22', '22nd'],
      ['2026-12-31', '31st'],
    ])
      expect(describeRecurrence({ every: 1, unit: 'month' }, date ?? '', '09:00')).toBe(
        `Every month on the ${day} at 9:00 AM`,
      )
    expect(describeOutcome({ count: 6, last: '2027-01-12' })).toBe('6 appointments, last on Jan 12, 2027')
    expect(describeOutcome({ count: 0, last: '' })).toBe('no appointments')
  })
})

describe('the conflicts of a series', () => {
  const free = slot('2026-11-10', '09:30')
  const later = slot('2026-11-10', '10:00')
  const appointments = [
    planned(0, '2026-11-03'),
    planned(1, '2026-11-10', [free, later]),
    planned(2, '2026-11-11', [free, later]),
  ]
  const resolutions: ConflictResolutions = new Map([[1, { action: 'move', slot: free }]])

  it('are unresolved until each is resolved', () => {
    expect(findUnresolved(appointments, new Map()).map(({ index }) => index)).toEqual([1, 2])
    expect(findUnresolved(appointments, resolutions).map(({ index }) => index)).toEqual([2])
    expect(toResolutionsBody(new Map([...resolutions, [2, { action: 'skip' }]]))).toEqual([
      { index: 1, action: 'move', to: free.start },
      { index: 2, action: 'skip' },
    ])
  })

  it('never offer a slot to which another appointment in the series was moved', () => {
    expect(findRemainingSlots(appointments[2] ?? planned(2, ''), resolutions)).toEqual([later])
    expect(findRemainingSlots(appointments[1] ?? planned(1, ''), resolutions)).toEqual([free, later])
    const all = resolveAll(appointments, new Map(), 'move')
    expect([...all.values()]).toEqual([
      { action: 'move', slot: free },
      { action: 'move', slot: later },
    ])
  })

  it('change the number of appointments and the last one', () => {
    expect(computeOutcome(appointments, new Map([[2, { action: 'skip' }]]))).toEqual({ count: 2, last: '2026-11-10' })
    expect(computeOutcome(appointments, new Map([[2, { action: 'move', slot: slot('2026-11-12', '09:00') }]]))).toEqual(
      {
        count: 3,
        last: '2026-11-12',
      },
    )
  })
})
