import { describe, expect, it } from 'vitest'
import type { BookingConcern } from '#contracts/values/appointments.ts'
import { toInstant } from '#contracts/values/calendar.ts'
import { defaultCalendar, defaultWeek, type WorkCalendar } from '#contracts/values/working-hours.ts'
import { findConcerns, requireConfirmation } from '#modules/appointments/booking-concerns.ts'

// A Wednesday, 9:10 in New York.
const now = new Date('2026-11-18T14:10:00.000Z')
const zone = 'America/New_York'
const circumstances = { zone, now, isPatientDeceased: false, calendar: defaultCalendar as WorkCalendar }
const placed = (startsAt: string, over: object = {}) => ({ startsAt, duration: 30, providerId: 'ada', ...over })
const find = (startsAt: string, more: object = {}) =>
  findConcerns(placed(startsAt, more), { ...circumstances, ...more }).map(({ concern }) => concern)

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
    const from = (startsAt: string) => ({ movedFrom: placed(startsAt) })
    expect(find('2026-11-22T15:00:00.000Z', from('2026-11-20T14:00:00.000Z'))).toEqual(['not-a-working-day'])
    expect(find('2026-11-22T15:00:00.000Z', from(sunday))).toEqual([])
    expect(find('2026-11-15T14:00:00.000Z', from('2026-11-15T14:00:00.000Z'))).toEqual([])
    expect(find(sunday, { ...from('2026-11-22T15:00:00.000Z'), isPatientDeceased: true })).toEqual(['patient-deceased'])
  })

  it('once about all times, and not about what is confirmed', () => {
    const [saturday, sunday] = ['2026-11-21T15:00:00.000Z', '2026-11-22T15:00:00.000Z']
    const times = ['2026-11-20T15:00:00.000Z', saturday, sunday].map((startsAt) => placed(startsAt))
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

describe('with working hours, booking also asks', () => {
  const friday = { opens: '08:00', closes: '24:00', breaks: [{ from: '12:00', until: '13:00' }] }
  const saturday = { opens: '00:00', closes: '02:00', breaks: [] }
  const calendar: WorkCalendar = {
    week: { ...defaultWeek, monday: null, friday, saturday },
    closures: [
      { providerId: null, name: 'Thanksgiving', from: '2026-11-26', until: '2026-11-26' },
      { providerId: 'ada', name: 'Conference', from: '2026-11-24', until: '2026-11-25' },
    ],
  }
  const at = (local: string) => toInstant(local.slice(0, 10), local.slice(11), zone)
  const concernsAt = (local: string, over: object = {}) =>
    findConcerns(placed(at(local), over), { ...circumstances, calendar })

  it.each([
    ['not about working time', '2026-11-20T08:00', {}, []],
    ['about a closed weekday', '2026-11-23T10:00', {}, [['not-a-working-day', null]]],
    ['about a time before the opening', '2026-11-20T07:45', {}, [['outside-working-hours', '08:00-24:00']]],
    ['about a break', '2026-11-20T11:45', {}, [['in-a-break', '12:00-13:00']]],
    ['not about the end of a break', '2026-11-20T13:00', {}, []],
    ['not about a night that goes on', '2026-11-20T23:30', { duration: 150 }, []],
    [
      'about a night that is too long',
      '2026-11-20T23:30',
      { duration: 155 },
      [['outside-working-hours', '08:00-24:00']],
    ],
    [
      'about both',
      '2026-11-19T11:00',
      { duration: 480 },
      [
        ['outside-working-hours', '09:00-17:30'],
        ['in-a-break', '12:00-14:00'],
      ],
    ],
    ['about a holiday', '2026-11-26T10:00', {}, [['holiday', 'Thanksgiving']]],
    ['about a day off', '2026-11-24T10:00', {}, [['provider-day-off', 'Conference']]],
    ['not about a day off of another provider', '2026-11-24T10:00', { providerId: 'grace' }, []],
  ])('%s', (_, local, over, expected) => {
    expect(concernsAt(local, over).map(({ concern, reason }) => [concern, reason])).toEqual(expected)
  })

  it('about what a change makes worse', () => {
    const movedFrom = placed(at('2026-11-20T11:30'))
    const ask = (local: string, over: object) => concernsAt(local, { movedFrom, ...over }).map(({ concern }) => concern)
    expect(ask('2026-11-20T11:30', { duration: 45 })).toEqual(['in-a-break'])
    expect(ask('2026-11-20T11:30', { providerId: 'grace' })).toEqual([])
    const inBreak = { movedFrom: placed(at('2026-11-20T12:00')) }
    expect(ask('2026-11-20T12:00', { ...inBreak, duration: 15 })).toEqual([])
    expect(ask('2026-11-20T12:30', inBreak)).toEqual(['in-a-break'])
    const toAda = { movedFrom: placed(at('2026-11-24T10:00'), { providerId: 'grace' }) }
    expect(ask('2026-11-24T10:00', toAda)).toEqual(['provider-day-off'])
  })

  it('on the hours of the clock, when the day has 23 or 25 hours', () => {
    const night = { opens: '01:00', closes: '04:00', breaks: [] }
    const nights = {
      ...circumstances,
      now: new Date('2026-01-01'),
      calendar: { week: { ...defaultWeek, sunday: night }, closures: [] },
    }
    const isAsked = (startsAt: string, duration: number) =>
      findConcerns(placed(startsAt, { duration }), nights).length > 0
    // 1:00 to 4:00 lasts two hours in spring and four in autumn.
    expect(isAsked(at('2026-03-08T01:00'), 120)).toBe(false)
    expect(isAsked(at('2026-03-08T01:00'), 125)).toBe(true)
    expect(isAsked(at('2026-11-01T01:00'), 240)).toBe(false)
    expect(isAsked(at('2026-11-01T01:00'), 245)).toBe(true)
  })

  it('with the reason in its message', () => {
    const ask = (...locals: string[]) =>
      requireConfirmation(
        locals.map((local) => placed(at(local))),
        { ...circumstances, calendar },
        [],
      )
    const starts = [at('2026-11-26T10:00')]
    expect(() => ask('2026-11-26T10:00')).toThrow(
      expect.objectContaining({
        message: 'The practice is closed that day: Thanksgiving. Please confirm.',
        extra: { concerns: [{ concern: 'holiday', starts, reasons: ['Thanksgiving'] }] },
      }),
    )
    expect(() => ask('2026-11-24T10:00', '2026-11-25T10:00')).toThrow(
      'The provider is off on some of these days: Conference. Please confirm.',
    )
  })
})
