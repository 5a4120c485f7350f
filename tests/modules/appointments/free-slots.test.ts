import { describe, expect, it } from 'vitest'
import { toLocalTime } from '#contracts/values/calendar.ts'
import { ProviderId } from '#contracts/values/ids.ts'
import { type DayHours, defaultCalendar, defaultWeek, type WorkCalendar } from '#contracts/values/working-hours.ts'
import { computeFreeSlots, isWorkingTime } from '#modules/appointments/free-slots.ts'

const providerId = ProviderId.parse('018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0001')
const otherId = ProviderId.parse('018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0009')
const query = { providerId, zone: 'UTC', duration: 30, days: 8, busy: [] }
const sunday = '2026-11-22T08:00:00.000Z'

type Query = Partial<Parameters<typeof computeFreeSlots>[0]>
const listDates = (calendar: WorkCalendar, over: Query = {}) => [
  ...new Set(computeFreeSlots({ ...query, from: sunday, calendar, ...over }).map(({ localDate }) => localDate)),
]
const listTimes = (calendar: WorkCalendar, from: string, over: Query = {}) =>
  computeFreeSlots({ ...query, from, days: 1, calendar, ...over }).map(({ localTime }) => localTime)
const november = (...days: number[]) => days.map((day) => `2026-11-${day}`)

it('offers no slots on days on which the practice is closed, not even today', () => {
  expect(listDates(defaultCalendar)).toEqual(november(23, 24, 25, 26, 27))
})

describe('with working hours', () => {
  const hours: DayHours = { opens: '08:00', closes: '12:00', breaks: [{ from: '09:15', until: '10:15' }] }
  const week = { ...defaultWeek, monday: null, tuesday: hours, sunday: hours }
  const calendar: WorkCalendar = { week, closures: [] }
  const tuesday = '2026-11-24T00:00:00.000Z'

  it('offers slots that fit between the breaks', () => {
    expect(listDates(calendar)).toEqual(november(22, 24, 25, 26, 27, 29))
    expect(listTimes(calendar, tuesday)).toEqual(['08:00', '08:30', '10:15', '10:45', '11:15'])
    expect(listTimes(calendar, tuesday, { duration: 60 })).toEqual(['08:00', '10:15', '10:45'])
    expect(listTimes(calendar, tuesday, { duration: 15 })).toEqual([
      '08:00',
      '08:30',
      '09:00',
      '10:15',
      '10:45',
      '11:15',
      '11:45',
    ])
    expect(listTimes(calendar, tuesday, { duration: 120 })).toEqual([])
  })

  it('offers the slots of the specification at any length until hours are set', () => {
    expect(listTimes(defaultCalendar, tuesday, { duration: 60 })).toHaveLength(13)
    expect(listTimes({ week: defaultWeek, closures: [] }, tuesday, { duration: 60 })).not.toContain('11:30')
  })

  it('offers none on a holiday, nor to a provider who is off', () => {
    const closures = [
      { providerId: null, name: 'Thanksgiving', from: '2026-11-26', until: '2026-11-27' },
      { providerId, name: null, from: '2026-11-24', until: '2026-11-24' },
      { providerId: otherId, name: null, from: '2026-11-25', until: '2026-11-25' },
    ]
    for (const set of [null, { ...week, sunday: null }]) {
      expect(listDates({ week: set, closures }, { days: 6 })).toEqual(november(...(set ? [25] : [23, 25])))
      const other = { days: 6, providerId: otherId }
      expect(listDates({ week: set, closures }, other)).toEqual(november(...(set ? [24] : [23, 24])))
    }
  })

  it('follows the clock on days of 23 and 25 hours', () => {
    const zone = 'America/New_York'
    const night = { opens: '00:30', closes: '04:00', breaks: [] }
    const nights: WorkCalendar = { week: { ...defaultWeek, sunday: night }, closures: [] }
    // 2:00 to 3:00 does not exist.
    const spring = computeFreeSlots({ ...query, zone, days: 1, calendar: nights, from: '2026-03-08T05:00:00.000Z' })
    expect(spring.map(({ localTime }) => localTime)).toEqual(['00:30', '01:00', '01:30', '03:00', '03:30'])
    expect(spring.map(({ end }) => toLocalTime(end, zone))).toEqual(['01:00', '01:30', '03:00', '03:30', '04:00'])
    // 1:00 to 2:00 happens twice; the first time is offered.
    const autumn = computeFreeSlots({ ...query, zone, days: 1, calendar: nights, from: '2026-11-01T04:00:00.000Z' })
    expect(autumn.map(({ start }) => start.slice(11, 16))).toEqual(
      '04:30 05:00 05:30 07:00 07:30 08:00 08:30'.split(' '),
    )
  })
})

describe('a slot that became free', () => {
  const slot = { providerId, startsAt: '2026-11-24T11:00:00.000Z', duration: 60 }

  it.each<[string, WorkCalendar, object, boolean]>([
    ['on a working day', defaultCalendar, {}, true],
    ['on a weekend, before hours are set', defaultCalendar, { startsAt: '2026-11-22T11:00:00.000Z' }, true],
    ['on a closed day', { week: { ...defaultWeek, tuesday: null }, closures: [] }, {}, false],
    ['up to the break', { week: defaultWeek, closures: [] }, {}, true],
    ['into the break', { week: defaultWeek, closures: [] }, { duration: 90 }, false],
    ['before the opening', { week: defaultWeek, closures: [] }, { startsAt: '2026-11-24T08:30:00.000Z' }, false],
    [
      'on a holiday',
      { week: null, closures: [{ providerId: null, name: 'Day', from: '2026-11-24', until: '2026-11-24' }] },
      {},
      false,
    ],
    [
      'on a day off of its provider',
      { week: null, closures: [{ providerId, name: null, from: '2026-11-20', until: '2026-11-30' }] },
      {},
      false,
    ],
    [
      'on a day off of another provider',
      { week: null, closures: [{ providerId: otherId, name: null, from: '2026-11-24', until: '2026-11-24' }] },
      {},
      true,
    ],
  ])('%s', (_, calendar, over, isOffered) => {
    expect(isWorkingTime(calendar, 'UTC', { ...slot, ...over })).toBe(isOffered)
  })
})
