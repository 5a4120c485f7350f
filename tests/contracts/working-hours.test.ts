import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { daySlots } from '#contracts/values/appointments.ts'
import {
  DayHours,
  defaultCalendar,
  defaultWeek,
  findDayOff,
  findHoliday,
  findHoursErrors,
  getDayHours,
  getWeekday,
  listDaySlots,
  listPeriods,
} from '#contracts/values/working-hours.ts'

const hours = (over: Partial<DayHours> = {}): DayHours => ({ opens: '08:00', closes: '16:00', breaks: [], ...over })
const pause = (from: string, until: string) => ({ from, until })
const week = {
  ...defaultWeek,
  friday: hours({ closes: '12:15' }),
  saturday: hours({ opens: '22:00', closes: '24:00' }),
}

describe('the hours of a day', () => {
  it.each([
    ['end before they start', hours({ closes: '07:00' }), 'closes', 'Must be after the opening time'],
    ['end when they start', hours({ closes: '08:00' }), 'closes', 'Must be after the opening time'],
    [
      'have a reversed break',
      hours({ breaks: [pause('13:00', '12:00')] }),
      'breaks.0.until',
      'Must be after the start',
    ],
    ['have a break before them', hours({ breaks: [pause('07:30', '09:00')] }), 'breaks.0.from', 'Must be within'],
    ['have a break after them', hours({ breaks: [pause('15:30', '16:30')] }), 'breaks.0.until', 'Must be within'],
    ['are one break', hours({ breaks: [pause('08:00', '16:00')] }), 'breaks.0.until', 'This leaves no working time'],
    [
      'have overlapping breaks',
      hours({ breaks: [pause('12:00', '13:00'), pause('10:00', '10:15'), pause('12:30', '13:30')] }),
      'breaks.2.from',
      'Overlaps another break',
    ],
  ])('are refused at the field when they %s', (_, wrong, path, message) => {
    const { error } = DayHours.safeParse(wrong)
    expect(error?.issues).toEqual([
      expect.objectContaining({ path: path.split('.').map((key) => (key === '0' || key === '2' ? Number(key) : key)) }),
    ])
    expect(error?.issues[0]?.message).toContain(message)
  })

  it('may close at midnight, and put breaks in order', () => {
    const late = { opens: '16:00', closes: '24:00', breaks: [pause('22:00', '22:30'), pause('18:00', '19:00')] }
    expect(DayHours.parse(late).breaks.map(({ from }) => from)).toEqual(['18:00', '22:00'])
    for (const time of ['24:30', '9:00', '', 'noon'])
      expect(DayHours.safeParse(hours({ closes: time })).success).toBe(false)
  })

  it('consist of the periods between their breaks, whatever they are', () => {
    const time = fc.integer({ min: 0, max: 1439 }).map((minutes) => {
      const [hour, minute] = [Math.floor(minutes / 60), minutes % 60]
      return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
    })
    const period = fc.record({ from: time, until: time })
    const day = fc.record({ opens: time, closes: time, breaks: fc.array(period, { maxLength: 6 }) })
    fc.assert(
      fc.property(day, time, (typed, at) => {
        const parsed = DayHours.safeParse(typed)
        expect(parsed.success).toBe(findHoursErrors(typed).length === 0)
        if (!parsed.success) return
        const { opens, closes, breaks } = parsed.data
        const isOpen = opens <= at && at < closes && !breaks.some(({ from, until }) => from <= at && at < until)
        expect(listPeriods(parsed.data).some(({ from, until }) => from <= at && at < until)).toBe(isOpen)
      }),
    )
  })
})

describe('the slots of a day', () => {
  it('are those of the specification until hours are set, and with the default hours', () => {
    expect(listDaySlots(defaultCalendar, '2026-11-20')).toEqual(daySlots)
    expect(listDaySlots(defaultCalendar, '2026-11-21')).toEqual(daySlots)
    expect(listDaySlots({ week: defaultWeek, closures: [] }, '2026-11-20')).toEqual(daySlots)
    expect(listDaySlots({ week: defaultWeek, closures: [] }, '2026-11-21')).toEqual([])
  })

  it('are the half hours within the working hours', () => {
    const calendar = { week, closures: [] }
    expect(listDaySlots(calendar, '2026-11-20')).toEqual('08:00 08:30 09:00 09:30 10:00 10:30 11:00 11:30'.split(' '))
    expect(listDaySlots(calendar, '2026-11-21')).toEqual(['22:00', '22:30', '23:00', '23:30'])
  })

  it('do not exist on a holiday, from its first day to its last', () => {
    const holiday = { providerId: null, name: 'Founding days', from: '2026-11-19', until: '2026-11-20' }
    const dayOff = { providerId: 'ada', name: null, from: '2026-11-23', until: '2026-11-23' }
    for (const calendar of [
      { week, closures: [dayOff, holiday] },
      { week: null, closures: [dayOff, holiday] },
    ]) {
      const closed = ['18', '19', '20', '23'].filter((day) => listDaySlots(calendar, `2026-11-${day}`).length === 0)
      expect(closed).toEqual(['19', '20'])
      expect(findHoliday(calendar, '2026-11-20')).toBe(holiday)
      expect(findHoliday(calendar, '2026-11-23')).toBeUndefined()
      expect(findDayOff(calendar, 'ada', '2026-11-23')).toBe(dayOff)
      expect(findDayOff(calendar, 'grace', '2026-11-23')).toBeUndefined()
      expect(findDayOff(calendar, 'ada', '2026-11-20')).toBeUndefined()
    }
  })

  it('depend on the weekday of the local date', () => {
    expect(['2026-11-16', '2026-11-22', '2028-02-29'].map(getWeekday)).toEqual(['monday', 'sunday', 'tuesday'])
    expect(getDayHours(null, '2026-11-22')).toBeNull()
    expect(getDayHours(week, '2026-11-20')).toBe(week.friday)
  })
})
