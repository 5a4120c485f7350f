import { describe, expect, it } from 'vitest'
import type { BookingConcern } from '#contracts/values/appointments.ts'
import { findConcerns, requireConfirmation } from '#modules/appointments/booking-concerns.ts'

// A Wednesday, 9:10 in New York.
const now = new Date('2026-11-18T14:10:00.000Z')
const circumstances = { zone: 'America/New_York', now, isPatientDeceased: false }
const find = (startsAt: string, more: object = {}) =>
  findConcerns({ startsAt, duration: 30, ...more }, { ...circumstances, ...more })

describe('booking asks first', () => {
  it.each([
    ['a coming working day', '2026-11-20T14:00:00.000Z', []],
    ['an appointment in progress', '2026-11-18T14:00:00.000Z', []],
    ['an appointment that would be over', '2026-11-18T13:40:00.000Z', ['in-the-past']],
    ['a Sunday', '2026-11-22T14:00:00.000Z', ['not-a-working-day']],
    ['a Friday evening that is Saturday in UTC', '2026-11-21T01:00:00.000Z', []],
    ['a past Sunday', '2026-11-15T14:00:00.000Z', ['in-the-past', 'not-a-working-day']],
  ])('about %s', (_, startsAt, concerns) => {
    expect(find(startsAt)).toEqual(concerns)
  })

  it('for a deceased patient', () => {
    expect(find('2026-11-20T14:00:00.000Z', { isPatientDeceased: true })).toEqual(['patient-deceased'])
  })

  it('about a move as about a booking, but not about a day or a time that stays', () => {
    const sunday = '2026-11-22T14:00:00.000Z'
    expect(find('2026-11-22T15:00:00.000Z', { movedFrom: '2026-11-20T14:00:00.000Z' })).toEqual(['not-a-working-day'])
    expect(find('2026-11-22T15:00:00.000Z', { movedFrom: sunday })).toEqual([])
    expect(find('2026-11-15T14:00:00.000Z', { movedFrom: '2026-11-15T14:00:00.000Z' })).toEqual([])
    expect(find(sunday, { movedFrom: '2026-11-22T15:00:00.000Z', isPatientDeceased: true })).toEqual([
      'patient-deceased',
    ])
  })

  it('once about all times, and not about what is confirmed', () => {
    const [saturday, sunday] = ['2026-11-21T15:00:00.000Z', '2026-11-22T15:00:00.000Z']
    const times = ['2026-11-20T15:00:00.000Z', saturday, sunday].map((startsAt) => ({ startsAt, duration: 30 }))
    const ask = (...confirmed: BookingConcern[]) => requireConfirmation(times, circumstances, confirmed)
    expect(() => ask('in-the-past')).toThrow(
      expect.objectContaining({
        status: 409,
        code: 'confirm-appointment',
        extra: { concerns: [{ concern: 'not-a-working-day', starts: [saturday, sunday] }] },
      }),
    )
    expect(() => ask('not-a-working-day')).not.toThrow()
    // A client of the specification does not ask.
    expect(() => requireConfirmation(times, circumstances, undefined)).not.toThrow()
  })
})
