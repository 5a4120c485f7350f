import { describe, expect, it } from 'vitest'
import type { NotMoved, PlannedAppointment } from '#contracts/appointment-series.ts'
import type { Appointment, FreeSlot } from '#contracts/appointments.ts'
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
import { describeNotMoved } from '#web/features/appointments/series/series-conflicts.tsx'
import { filterByScope } from '#web/features/appointments/series/series-scope.ts'
import { getAdjacentProvider, toPlacementChange } from '#web/features/appointments/day/use-appointment-drag.ts'

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

describe('how an appointment repeats', () => {
  it('is nothing, a number of appointments or until a day', () => {
    expect(parseRecurrence(noRecurrence)).toEqual({ recurrence: null, faults: {} })
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
  ])('says what is wrong beside the field: %o', (over, field) => {
    const { recurrence, faults } = parseRecurrence({ ...weekly, ...over })
    expect(recurrence).toBeNull()
    expect(Object.keys(faults)).toEqual([field])
  })

  it('shows what the server says where it was typed', () => {
    expect(toRecurrenceField('recurrence.every', 'count')).toBe('every')
    expect(toRecurrenceField('recurrence.until', 'count')).toBe('count')
    expect(toRecurrenceField('recurrence', 'until')).toBe('until')
    expect(toRecurrenceField('resolutions', 'until')).toBeNull()
  })

  it('is said in a sentence', () => {
    expect(describeRecurrence({ every: 2, unit: 'week' }, '2026-11-03', '09:00')).toBe(
      'Every 2 weeks on Tuesday at 9:00 AM',
    )
    expect(describeRecurrence({ every: 1, unit: 'day' }, '2026-11-03', '14:30')).toBe('Every day at 2:30 PM')
    for (const [date, words] of [
      ['2026-11-03', '3rd'],
      ['2026-11-11', '11th'],
      ['2026-11-22', '22nd'],
      ['2026-12-31', '31st'],
    ])
      expect(describeRecurrence({ every: 1, unit: 'month' }, date ?? '', '09:00')).toBe(
        `Every month on the ${words} at 9:00 AM`,
      )
    expect(describeOutcome({ count: 6, last: '2027-01-12' })).toBe('6 appointments, last on Jan 12, 2027')
    expect(describeOutcome({ count: 0, last: '' })).toBe('no appointments')
  })
})

describe('the conflicts of a row', () => {
  const free = slot('2026-11-10', '09:30')
  const later = slot('2026-11-10', '10:00')
  const appointments = [
    planned(0, '2026-11-03'),
    planned(1, '2026-11-10', [free, later]),
    planned(2, '2026-11-11', [free, later]),
  ]
  const decisions: ConflictResolutions = new Map([[1, { action: 'move', slot: free }]])

  it('are open until each is decided', () => {
    expect(findUnresolved(appointments, new Map()).map(({ index }) => index)).toEqual([1, 2])
    expect(findUnresolved(appointments, decisions).map(({ index }) => index)).toEqual([2])
    expect(toResolutionsBody(new Map([...decisions, [2, { action: 'skip' }]]))).toEqual([
      { index: 1, action: 'move', to: free.start },
      { index: 2, action: 'skip' },
    ])
  })

  it('never offer a time that another appointment of the row was moved to', () => {
    expect(findRemainingSlots(appointments[2] ?? planned(2, ''), decisions)).toEqual([later])
    expect(findRemainingSlots(appointments[1] ?? planned(1, ''), decisions)).toEqual([free, later])
    const all = resolveAll(appointments, new Map(), 'move')
    expect([...all.values()]).toEqual([
      { action: 'move', slot: free },
      { action: 'move', slot: later },
    ])
  })

  it('change how many appointments there are, and the last one', () => {
    expect(computeOutcome(appointments, new Map([[2, { action: 'skip' }]]))).toEqual({ count: 2, last: '2026-11-10' })
    expect(computeOutcome(appointments, new Map([[2, { action: 'move', slot: slot('2026-11-12', '09:00') }]]))).toEqual(
      {
        count: 3,
        last: '2026-11-12',
      },
    )
  })
})

describe('which appointments of a row a change is for', () => {
  const at = (id: string, day: number, status = 'scheduled') =>
    ({ id, appointmentDate: `2026-11-0${day}T09:00:00.000Z`, status }) as unknown as Appointment
  const row = [at('a', 1), at('b', 2, 'completed'), at('c', 3), at('d', 4, 'cancelled'), at('e', 5)]
  const now = new Date('2026-11-02T12:00:00Z')
  const ids = (scope: 'this' | 'following' | 'all', anchor = row[2] as Appointment) =>
    filterByScope(row, anchor, scope, now).map(({ id }) => id)

  it('are those still to come, and always the one it is asked at', () => {
    expect(ids('this')).toEqual(['c'])
    expect(ids('following')).toEqual(['c', 'e'])
    expect(ids('all', row[0])).toEqual(['a', 'c', 'e'])
  })

  it('and which stay is said with the reason', () => {
    const left = { appointmentId: 'x', start: '2027-03-09T14:30:00.000Z' } as unknown as NotMoved
    const conflict = { providerName: 'Dr. Chen', patientName: 'Alan Turing', until: '2027-03-09T15:00:00.000Z' }
    const taken = { ...left, reason: 'taken', conflict } as unknown as NotMoved
    expect(describeNotMoved(taken, 'America/New_York')).toBe(
      'Tue, Mar 9, 2027, 9:30 AM: Dr. Chen sees Alan Turing until 10:00 AM',
    )
    const unknown = {
      ...taken,
      conflict: { ...conflict, providerName: null, patientName: null },
    } as unknown as NotMoved
    expect(describeNotMoved(unknown, 'America/New_York')).toContain('somebody else is there until 10:00 AM')
    expect(describeNotMoved({ ...left, reason: 'failed', conflict: null }, 'UTC')).toContain('could not be saved')
  })
})

describe('an appointment that goes to another provider', () => {
  it('goes one column on, and no further than the last', () => {
    expect(getAdjacentProvider(['a', 'b'], 'a', 1)).toBe('b')
    expect(getAdjacentProvider(['a', 'b'], 'b', 1)).toBe('b')
    expect(getAdjacentProvider(['a', 'b'], 'who left', -1)).toBe('who left')
  })

  it('sends only what differs', () => {
    const appointment = {
      localDate: '2027-03-02',
      localTime: '09:00',
      duration: 30,
      providerId: 'a',
    } as unknown as Appointment
    expect(toPlacementChange(appointment, { start: 540, duration: 30, providerId: 'a' })).toEqual({})
    expect(toPlacementChange(appointment, { start: 540, duration: 30, providerId: 'b' })).toEqual({ providerId: 'b' })
    expect(toPlacementChange(appointment, { start: 570, duration: 45, providerId: 'a' })).toEqual({
      appointmentDate: '2027-03-02T09:30',
      duration: 45,
    })
  })
})
