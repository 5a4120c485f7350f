import { addDays } from '#contracts/values/calendar.ts'
import { describe, expect, it } from 'vitest'
import {
  addMonths,
  formatLongDate,
  formatRelativeDay,
  formatWeekRange,
  getMonthGrid,
  getMonthWithWeeks,
  getWeekDays,
  isKnownMonth,
} from '#web/features/appointments/calendar-dates.ts'

describe('the calendar', () => {
  it('adds days across months, years and leap days', () => {
    expect(addDays('2026-12-31', 1)).toBe('2027-01-01')
    expect(addDays('2028-03-01', -1)).toBe('2028-02-29')
    expect(addMonths('2026-01-31', 1)).toBe('2026-02-01')
  })

  it('starts weeks on Sunday and months in the right column', () => {
    expect(getWeekDays('2026-11-20')).toEqual([15, 16, 17, 18, 19, 20, 21].map((day) => `2026-11-${day}`))
    expect(getWeekDays('2026-11-15')[0]).toBe('2026-11-15')
    expect(getMonthGrid('2026-11-20')).toMatchObject({ before: 0, days: { length: 30 } })
    expect(getMonthGrid('2026-10-05')).toMatchObject({ before: 4, days: { length: 31 } })
  })

  it('loads a month with every week that shows one of its days', () => {
    for (let date = '2026-01-01'; date < '2028-03-01'; date = addDays(date, 1)) {
      const { from, until } = getMonthWithWeeks(date)
      const week = getWeekDays(date)
      expect([(week[0] ?? '') >= from, (week.at(-1) ?? '') <= until]).toEqual([true, true])
    }
    expect(getMonthWithWeeks('2026-11-20')).toEqual({ from: '2026-10-26', until: '2026-12-06' })
    expect(['2000-02-01', '2099-11-30', '2100-01-01', '2026-13', ''].map(isKnownMonth)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ])
  })

  it('is formatted', () => {
    expect(formatLongDate('2026-11-20')).toBe('Friday, November 20, 2026')
    expect(formatRelativeDay('2026-11-20', '2026-11-20')).toBe('Today')
    expect(formatRelativeDay('2026-11-21', '2026-11-20')).toBe('Tomorrow')
    expect(formatRelativeDay('2026-11-23', '2026-11-20')).toBe('Mon, Nov 23')
    expect(formatWeekRange(getWeekDays('2026-11-20'))).toBe('Nov 15 to 21, 2026')
    expect(formatWeekRange(getWeekDays('2026-12-01'))).toBe('Nov 29 to Dec 5, 2026')
    expect(formatWeekRange(getWeekDays('2027-01-01'))).toBe('Dec 27, 2026 to Jan 2, 2027')
  })
})
