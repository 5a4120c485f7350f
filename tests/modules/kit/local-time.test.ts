import { describe, expect, it } from 'vitest'
import { toLocalDateTime } from '#contracts/values/calendar.ts'
import { dayBounds, touchedDays, parseLocalTime, parseTime, nextValidInstant } from '#modules/kit/local-time.ts'

/** Time zones with a 23-hour and a 25-hour day: local times and their instants. */
const zones = [
  {
    zone: 'America/New_York',
    long: ['2026-11-01', 25],
    short: ['2026-03-08', 23],
    skipped: '2026-03-08T02:30',
    next: '2026-03-08T03:00',
    twice: ['2026-11-01T01:30', '2026-11-01T05:30:00.000Z'],
    noon: ['2026-07-01T12:00', '2026-07-01T16:00:00.000Z'],
  },
  {
    zone: 'Europe/Berlin',
    long: ['2026-10-25', 25],
    short: ['2026-03-29', 23],
    skipped: '2026-03-29T02:00',
    next: '2026-03-29T03:00',
    twice: ['2026-10-25T02:15', '2026-10-25T00:15:00.000Z'],
    noon: ['2026-07-01T12:00', '2026-07-01T10:00:00.000Z'],
  },
  {
    zone: 'Australia/Lord_Howe',
    long: ['2026-04-05', 24.5],
    short: ['2026-10-04', 23.5],
    skipped: '2026-10-04T02:15',
    next: '2026-10-04T02:30',
    twice: ['2026-04-05T01:45', '2026-04-04T14:45:00.000Z'],
    noon: ['2026-07-01T12:00', '2026-07-01T01:30:00.000Z'],
  },
] as const

const hours = (date: string, zone: string) => {
  const { from, until } = dayBounds(date, zone)
  return (Date.parse(until) - Date.parse(from)) / 3_600_000
}

describe.each(zones)('$zone', ({ zone, long, short, skipped, next, twice, noon }) => {
  it('has days of 23 and 25 hours', () => {
    expect(hours(long[0], zone)).toBe(long[1])
    expect(hours(short[0], zone)).toBe(short[1])
    expect(hours('2026-07-01', zone)).toBe(24)
  })

  it('has no instant for a skipped local time, but the next valid time', () => {
    expect(parseLocalTime(skipped, zone)).toEqual({ nextValid: next })
    expect(toLocalDateTime(nextValidInstant(skipped, zone), zone)).toEqual({
      date: next.slice(0, 10),
      time: next.slice(11),
    })
  })

  it('takes the first of the two instants of a repeated local time', () => {
    expect(parseLocalTime(twice[0], zone)).toEqual({ instant: twice[1] })
  })

  it('converts a local time to its instant', () => {
    expect(parseLocalTime(noon[0], zone)).toEqual({ instant: noon[1] })
    expect(toLocalDateTime(noon[1], zone)).toEqual({ date: noon[0].slice(0, 10), time: '12:00' })
  })

  it.each([long[0], short[0]])('converts every quarter of an hour around %s back and forth', (day) => {
    const around = Array.from({ length: 4 * 24 * 4 }, (_, n) => Date.parse(day) + (n - 4 * 24) * 900_000)
    for (const time of around) {
      const instant = new Date(time).toISOString()
      const { date, time: shown } = toLocalDateTime(instant, zone)
      const read = parseLocalTime(`${date}T${shown}`, zone)
      // A repeated local time converts to the first of its two instants.
      const back = 'instant' in read ? Date.parse(read.instant) : Number.NaN
      if (back !== time) expect([3_600_000, 1_800_000]).toContain(time - back)
      const { from, until } = dayBounds(date, zone)
      expect([from <= instant, instant < until]).toEqual([true, true])
    }
  })
})

it('supports offsets of 45 minutes', () => {
  expect(parseLocalTime('2026-11-20T09:00', 'Asia/Kathmandu')).toEqual({ instant: '2026-11-20T03:15:00.000Z' })
  expect(toLocalDateTime('2026-11-20T18:15:00.000Z', 'Asia/Kathmandu')).toEqual({ date: '2026-11-21', time: '00:00' })
  expect(hours('2026-11-20', 'Asia/Kathmandu')).toBe(24)
})

it('starts a day without midnight at its first valid time', () => {
  // In Santiago clocks change from 24:00 to 1:00.
  expect(dayBounds('2026-09-06', 'America/Santiago').from).toBe('2026-09-06T04:00:00.000Z')
})

it('accepts an instant, to the minute', () => {
  expect(parseTime('2026-03-08T02:30:59.999-05:00', 'America/New_York')).toEqual({
    instant: '2026-03-08T07:30:00.000Z',
  })
  expect(parseTime('2026-03-08T02:30', 'America/New_York')).toEqual({ nextValid: '2026-03-08T03:00' })
})

it('returns the dates an appointment touches', () => {
  expect(touchedDays('2026-11-21T04:30:00.000Z', 30, 'America/New_York')).toEqual(['2026-11-20'])
  expect(touchedDays('2026-11-21T04:30:00.000Z', 31, 'America/New_York')).toEqual(['2026-11-20', '2026-11-21'])
})
