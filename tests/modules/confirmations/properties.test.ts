import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toLocalDateTime } from '#contracts/values/calendar.ts'
import { ReminderTiming } from '#contracts/values/confirmations.ts'
import { computeDue, leaveNight } from '#modules/confirmations/due.ts'

const zone = 'America/New_York'
const early = new Date('2026-01-01T00:00:00.000Z')
const due = (startsAt: string, over: object = {}) =>
  computeDue({ startsAt, timing: '24h', zone, now: early, hasQuietHours: true, ...over })

describe('the instant at which a patient is asked', () => {
  it('has the same local time some days before', () => {
    expect(due('2026-11-20T15:00:00.000Z')).toBe('2026-11-19T15:00:00.000Z')
    expect(due('2026-11-20T15:00:00.000Z', { timing: '1week' })).toBe('2026-11-13T15:00:00.000Z')
    // The clock goes forward on March 8, and back on November 1.
    expect(due('2026-03-08T14:00:00.000Z')).toBe('2026-03-07T15:00:00.000Z')
    expect(due('2026-11-01T15:00:00.000Z')).toBe('2026-10-31T14:00:00.000Z')
  })

  it('is not at night', () => {
    // 21:30 in New York.
    expect(due('2026-11-21T02:30:00.000Z')).toBe('2026-11-20T13:00:00.000Z')
    // 6:00 in New York.
    expect(due('2026-11-20T11:00:00.000Z')).toBe('2026-11-19T13:00:00.000Z')
    expect(due('2026-11-20T11:00:00.000Z', { hasQuietHours: false })).toBe('2026-11-19T11:00:00.000Z')
  })

  it('is now for an appointment that is booked late, and none when the night lies in between', () => {
    const now = new Date('2026-11-20T15:00:00.000Z')
    expect(due('2026-11-20T20:00:00.000Z', { now })).toBe(now.toISOString())
    expect(due('2026-11-21T12:00:00.000Z', { now: new Date('2026-11-21T02:00:00.000Z') })).toBeNull()
    expect(due('2026-11-20T14:00:00.000Z', { now })).toBeNull()
  })

  it('is in the day, not in the past, and before the appointment, in every zone and on every clock change', () => {
    const minute = 60_000
    const year = { min: Date.parse('2026-01-01') / minute, max: Date.parse('2027-01-01') / minute }
    const instant = fc.integer(year).map((minutes) => new Date(minutes * minute))
    const zones = fc.constantFrom(zone, 'Europe/Berlin', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'America/Santiago')
    fc.assert(
      fc.property(instant, instant, zones, fc.constantFrom(...ReminderTiming.options), (start, now, where, timing) => {
        const startsAt = start.toISOString()
        const at = computeDue({ startsAt, timing, zone: where, now, hasQuietHours: true })
        if (at === null) return
        expect(at >= now.toISOString() && at < startsAt).toBe(true)
        const { time } = toLocalDateTime(at, where)
        expect(time >= '08:00' && time < '20:00').toBe(true)
        expect(leaveNight(at, where)).toBe(at)
      }),
    )
  })
})
