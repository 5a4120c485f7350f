import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addDays,
  findInstant,
  getStartOfDay,
  toInstant,
  toLocalDate,
  toLocalDateTime,
  toLocalTime,
} from '#contracts/values/calendar.ts'

const zones = [
  'America/New_York',
  'Europe/Berlin',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'America/Santiago',
  'Pacific/Apia',
  'Pacific/Kiritimati',
  'UTC',
]
const minuteMs = 60_000
const supported = { min: Date.parse('2000-01-02T00:00Z') / minuteMs, max: Date.parse('2099-12-30T00:00Z') / minuteMs }
const anyMinute = fc.integer(supported).map((minutes) => new Date(minutes * minuteMs).toISOString())
const anyZone = fc.constantFrom(...zones)

/** The minutes in the two days around each clock change of 2026 and 2027 in a zone. */
const clockChanges = zones.flatMap((zone) =>
  Array.from({ length: 730 }, (_, day) => addDays('2026-01-01', day))
    .filter(
      (date) => Date.parse(getStartOfDay(addDays(date, 1), zone)) - Date.parse(getStartOfDay(date, zone)) !== 864e5,
    )
    .map((date) => ({ zone, date })),
)
const nearClockChange = fc
  .tuple(fc.constantFrom(...clockChanges), fc.integer({ min: -1_440, max: 2_880 }))
  .map(([{ zone, date }, minutes]) => ({
    zone,
    instant: new Date(Date.parse(getStartOfDay(date, zone)) + minutes * minuteMs).toISOString(),
  }))
const anyPlace = fc.oneof(fc.record({ zone: anyZone, instant: anyMinute }), nearClockChange)

describe('the local calendar of a time zone', () => {
  it('knows the clock changes of two years', () => {
    expect(clockChanges.filter(({ zone }) => zone === 'America/New_York').map(({ date }) => date)).toEqual([
      '2026-03-08',
      '2026-11-01',
      '2027-03-14',
      '2027-11-07',
    ])
  })

  it('returns to the same instant, or to the earlier one of a repeated time', () => {
    fc.assert(
      fc.property(anyPlace, ({ zone, instant }) => {
        const { date, time } = toLocalDateTime(instant, zone)
        const found = findInstant(date, time, zone)
        expect(found).toBe(toInstant(date, time, zone))
        expect(toLocalDateTime(found ?? '', zone)).toEqual({ date, time })
        expect([0, 30, 60]).toContain((Date.parse(instant) - Date.parse(found ?? '')) / minuteMs)
      }),
      { numRuns: 500 },
    )
  })

  it('has every instant between the start of its date and that of the next date', () => {
    fc.assert(
      fc.property(anyPlace, ({ zone, instant }) => {
        const date = toLocalDate(instant, zone)
        expect(getStartOfDay(date, zone) <= instant).toBe(true)
        expect(instant < getStartOfDay(addDays(date, 1), zone)).toBe(true)
      }),
    )
  })

  it('moves a skipped time to the clock change', () => {
    expect(findInstant('2026-03-08', '02:30', 'America/New_York')).toBeNull()
    expect(toInstant('2026-03-08', '02:30', 'America/New_York')).toBe('2026-03-08T07:00:00.000Z')
    expect(toInstant('2026-10-04', '02:15', 'Australia/Lord_Howe')).toBe('2026-10-03T15:30:00.000Z')
  })

  it('takes the earlier instant of a repeated time', () => {
    expect(toInstant('2026-11-01', '01:30', 'America/New_York')).toBe('2026-11-01T05:30:00.000Z')
    expect(toInstant('2026-04-05', '01:45', 'Australia/Lord_Howe')).toBe('2026-04-04T14:45:00.000Z')
  })

  it('starts a date without midnight at its first instant', () => {
    // Santiago's clocks change from 24:00 to 01:00.
    expect(getStartOfDay('2026-09-06', 'America/Santiago')).toBe('2026-09-06T04:00:00.000Z')
  })

  it('shows midnight as 00:00, in zones with an offset of three quarters of an hour too', () => {
    expect(toLocalDateTime('2026-11-20T18:15:00.000Z', 'Asia/Kathmandu')).toEqual({ date: '2026-11-21', time: '00:00' })
    expect(toLocalTime(new Date('2026-11-20T03:15:59.999Z'), 'Asia/Kathmandu')).toBe('09:00')
  })
})

describe('the local time of an instant', () => {
  const formats = new Map(
    [...zones, 'Africa/Monrovia', 'Africa/Casablanca', 'America/Caracas'].map((zone) => {
      const parts = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const
      return [zone, new Intl.DateTimeFormat('sv-SE', { timeZone: zone, ...parts })] as const
    }),
  )
  const expected = (instant: string, zone: string) => formats.get(zone)?.format(new Date(instant)).replace(' ', 'T')
  const actual = (instant: string, zone: string) => {
    const { date, time } = toLocalDateTime(instant, zone)
    return `${date}T${time}`
  }

  it('is that of the time-zone database at every instant of every year, also when asked again', () => {
    const years = { min: Date.parse('1960-01-01T00:00Z'), max: Date.parse('2120-01-01T00:00Z') }
    const anySecond = fc.integer({ min: years.min / 1000, max: years.max / 1000 }).map((s) => new Date(s * 1000))
    fc.assert(
      fc.property(anySecond, fc.constantFrom(...formats.keys()), (at, zone) => {
        const instant = at.toISOString()
        expect(actual(instant, zone)).toBe(expected(instant, zone))
        expect(actual(instant, zone)).toBe(expected(instant, zone))
      }),
    )
  })

  it('is that of the time-zone database around every clock change', () => {
    fc.assert(
      fc.property(nearClockChange, ({ zone, instant }) => {
        expect(actual(instant, zone)).toBe(expected(instant, zone))
      }),
      { numRuns: 2_000 },
    )
  })
})
