import { getStartOfDay } from '#contracts/values/calendar.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  breakEnd,
  assignLanes,
  getGridLines,
  overlaps,
  yToMinutes,
  breakStart,
  halfHourHeight,
  computeDayLayout,
  snapDuration,
  snapStart,
  minutesToY,
} from '#web/features/appointments/day/day-layout.ts'
import { formatTime, toLocalDateTime, parseMinutes, toTimeString } from '#web/features/appointments/local-time.ts'
import {
  addDays,
  addMonths,
  formatLongDate,
  getMonthGrid,
  formatRelativeDay,
  formatWeekRange,
  getWeekDays,
} from '#web/features/appointments/calendar-dates.ts'

const span = fc.record({ start: fc.integer({ min: 0, max: 1435 }), duration: fc.integer({ min: 5, max: 480 }) })

describe('the day as a picture', () => {
  it('goes from nine to half past five, with the midday break drawn small', () => {
    const shape = computeDayLayout([])
    expect(shape).toEqual({ from: 540, until: 1050, pause: true })
    expect(minutesToY(shape, 540)).toBe(0)
    expect(minutesToY(shape, 570)).toBe(halfHourHeight)
    expect(minutesToY(shape, breakStart)).toBe(6 * halfHourHeight)
    expect(getGridLines(shape)).toHaveLength(13)
  })

  it('becomes longer with early and late appointments, and whole with an appointment at noon', () => {
    expect(computeDayLayout([{ start: parseMinutes('07:45'), duration: 30 }]).startMinutes).toBe(parseMinutes('07:30'))
    expect(computeDayLayout([{ start: parseMinutes('18:00'), duration: 45 }]).endMinutes).toBe(parseMinutes('19:00'))
    expect(computeDayLayout([{ start: parseMinutes('11:45'), duration: 30 }]).isBreakCollapsed).toBe(false)
    expect(computeDayLayout([{ start: parseMinutes('11:30'), duration: 30 }]).isBreakCollapsed).toBe(true)
    expect(computeDayLayout([{ start: breakEnd, duration: 30 }]).isBreakCollapsed).toBe(true)
  })

  it('has every appointment on it, later things lower, and reads a place back as the time it shows', () => {
    fc.assert(
      fc.property(fc.array(span, { maxLength: 8 }), fc.integer({ min: 0, max: 1440 }), (spans, at) => {
        const shape = computeDayLayout(spans)
        for (const { start, duration } of spans) {
          expect(minutesToY(shape, start)).toBeGreaterThanOrEqual(0)
          expect(minutesToY(shape, Math.min(1440, start + duration))).toBeLessThanOrEqual(
            minutesToY(shape, shape.endMinutes),
          )
        }
        expect(minutesToY(shape, at + 1)).toBeGreaterThan(minutesToY(shape, at))
        expect(yToMinutes(shape, minutesToY(shape, at))).toBeCloseTo(at, 6)
      }),
    )
  })

  it('puts what overlaps side by side, never on top of each other', () => {
    fc.assert(
      fc.property(fc.array(span, { maxLength: 12 }), (spans) => {
        const lanes = assignLanes(spans)
        for (const a of spans) {
          const mine = lanes.get(a)
          expect(mine && mine.index < mine.count).toBe(true)
          for (const b of spans)
            if (a !== b && overlaps(a, b)) {
              expect(lanes.get(b)?.index).not.toBe(mine?.index)
              expect(lanes.get(b)?.count).toBe(mine?.count)
            }
          if (!spans.some((b) => a !== b && overlaps(a, b))) expect(mine).toEqual({ lane: 0, lanes: 1 })
        }
      }),
    )
  })

  it('snaps what is dragged', () => {
    expect(snapStart(608)).toBe(615)
    expect(snapStart(-20)).toBe(0)
    expect(snapStart(2000)).toBe(1425)
    expect(snapDuration(33)).toBe(35)
    expect(snapDuration(-5)).toBe(5)
    expect(snapDuration(900)).toBe(480)
  })
})

describe("the practice's clocks", () => {
  it('say the time as staff read it', () => {
    expect(formatTime('00:05')).toBe('12:05 AM')
    expect(formatTime('12:00')).toBe('12:00 PM')
    expect(formatTime('16:30')).toBe('4:30 PM')
    expect(toTimeString(parseMinutes('16:30'))).toBe('16:30')
    expect(toTimeString(1450)).toBe('00:10')
  })

  it('are their own, wherever the browser is', () => {
    expect(toLocalDateTime('America/New_York', '2026-11-21T03:30:00Z')).toEqual({ date: '2026-11-20', time: '22:30' })
    expect(toLocalDateTime('Asia/Kathmandu', '2026-11-20T18:30:00Z')).toEqual({ date: '2026-11-21', time: '00:15' })
    expect(toLocalDateTime('Australia/Lord_Howe', '2026-11-20T13:30:00Z')).toEqual({
      date: '2026-11-21',
      time: '00:30',
    })
  })

  it('have days of 23 and 25 hours', () => {
    const hours = (date: string, zone: string) =>
      (Date.parse(getStartOfDay(addDays(date, 1), zone)) - Date.parse(getStartOfDay(date, zone))) / 3_600_000
    expect(getStartOfDay('2026-11-20', 'America/New_York')).toBe('2026-11-20T05:00:00.000Z')
    expect(hours('2026-03-08', 'America/New_York')).toBe(23)
    expect(hours('2026-11-01', 'America/New_York')).toBe(25)
    expect(hours('2026-03-29', 'Europe/Berlin')).toBe(23)
    expect(hours('2026-10-04', 'Australia/Lord_Howe')).toBe(23.5)
  })
})

describe('the calendar', () => {
  it('counts days over months, years and leap days', () => {
    expect(addDays('2026-12-31', 1)).toBe('2027-01-01')
    expect(addDays('2028-03-01', -1)).toBe('2028-02-29')
    expect(addMonths('2026-01-31', 1)).toBe('2026-02-01')
  })

  it('has weeks from Sunday, and months that begin in the right column', () => {
    expect(getWeekDays('2026-11-20')).toEqual([15, 16, 17, 18, 19, 20, 21].map((day) => `2026-11-${day}`))
    expect(getWeekDays('2026-11-15')[0]).toBe('2026-11-15')
    expect(getMonthGrid('2026-11-20')).toMatchObject({ before: 0, days: { length: 30 } })
    expect(getMonthGrid('2026-10-05')).toMatchObject({ before: 4, days: { length: 31 } })
  })

  it('is said in words', () => {
    expect(formatLongDate('2026-11-20')).toBe('Friday, November 20, 2026')
    expect(formatRelativeDay('2026-11-20', '2026-11-20')).toBe('Today')
    expect(formatRelativeDay('2026-11-21', '2026-11-20')).toBe('Tomorrow')
    expect(formatRelativeDay('2026-11-23', '2026-11-20')).toBe('Mon, Nov 23')
    expect(formatWeekRange(getWeekDays('2026-11-20'))).toBe('Nov 15 to 21, 2026')
    expect(formatWeekRange(getWeekDays('2026-12-01'))).toBe('Nov 29 to Dec 5, 2026')
    expect(formatWeekRange(getWeekDays('2027-01-01'))).toBe('Dec 27, 2026 to Jan 2, 2027')
  })
})
