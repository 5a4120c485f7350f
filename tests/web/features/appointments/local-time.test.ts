import { formatTime } from '#web/ui/dates.ts'
import { getStartOfDay, addDays, toLocalDateTime } from '#contracts/values/calendar.ts'
import { describe, expect, it } from 'vitest'
import { parseMinutes, toTimeString } from '#web/features/appointments/local-time.ts'

describe('local time of the practice', () => {
  it('is formatted with AM and PM', () => {
    expect(formatTime('00:05')).toBe('12:05 AM')
    expect(formatTime('12:00')).toBe('12:00 PM')
    expect(formatTime('16:30')).toBe('4:30 PM')
    expect(toTimeString(parseMinutes('16:30'))).toBe('16:30')
    expect(toTimeString(1450)).toBe('00:10')
  })

  it('does not depend on the time zone of the browser', () => {
    expect(toLocalDateTime('2026-11-21T03:30:00Z', 'America/New_York')).toEqual({ date: '2026-11-20', time: '22:30' })
    expect(toLocalDateTime('2026-11-20T18:30:00Z', 'Asia/Kathmandu')).toEqual({ date: '2026-11-21', time: '00:15' })
    expect(toLocalDateTime('2026-11-20T13:30:00Z', 'Australia/Lord_Howe')).toEqual({
      date: '2026-11-21',
      time: '00:30',
    })
  })

  it('has days of 23 and 25 hours', () => {
    const hours = (date: string, zone: string) =>
      (Date.parse(getStartOfDay(addDays(date, 1), zone)) - Date.parse(getStartOfDay(date, zone))) / 3_600_000
    expect(getStartOfDay('2026-11-20', 'America/New_York')).toBe('2026-11-20T05:00:00.000Z')
    expect(hours('2026-03-08', 'America/New_York')).toBe(23)
    expect(hours('2026-11-01', 'America/New_York')).toBe(25)
    expect(hours('2026-03-29', 'Europe/Berlin')).toBe(23)
    expect(hours('2026-10-04', 'Australia/Lord_Howe')).toBe(23.5)
  })
})
