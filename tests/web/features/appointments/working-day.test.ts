import { describe, expect, it } from 'vitest'
import { daySlots } from '#contracts/values/appointments.ts'
import { defaultCalendar, defaultWeek, type WorkCalendar } from '#contracts/values/working-hours.ts'
import { getWorkingDay, listFormSlots } from '#web/features/appointments/working-day.ts'

const [ada, grace] = [
  { id: 'ada', name: 'Ada Okafor' },
  { id: 'grace', name: 'Grace Liu' },
]
const hours = { opens: '08:00', closes: '09:00', breaks: [] }
const closures = [
  { providerId: null, name: 'Thanksgiving', from: '2026-11-26', until: '2026-11-26' },
  { providerId: 'ada', name: 'Conference', from: '2026-11-25', until: '2026-11-27' },
  { providerId: 'grace', name: null, from: '2026-11-27', until: '2026-11-27' },
]
const calendar: WorkCalendar = { week: { ...defaultWeek, friday: hours, monday: null }, closures }
const unset: WorkCalendar = { week: null, closures }
const [monday, wednesday, thursday, friday, saturday] = ['23', '25', '26', '27', '28'].map(
  (day) => `2026-11-${day}`,
) as [string, string, string, string, string]

describe('a working day on screen', () => {
  it('is as the specification says until hours are set, and weekends are only drawn as closed', () => {
    for (const [date, isClosed] of [
      [wednesday, false],
      [saturday, true],
    ] as const)
      expect(getWorkingDay(defaultCalendar, date, [ada])).toEqual({
        slots: daySlots,
        hours: null,
        isClosed,
        notes: [],
        daysOff: new Map(),
      })
  })

  it('has the hours of its weekday', () => {
    expect(getWorkingDay(calendar, friday, [])).toMatchObject({ slots: ['08:00', '08:30'], hours, isClosed: false })
    const closed = { slots: [], hours: null, isClosed: true, notes: ['Closed'] }
    expect(getWorkingDay(calendar, monday, [ada])).toMatchObject(closed)
  })

  it('names a holiday, and who is off', () => {
    for (const each of [calendar, unset]) {
      expect(getWorkingDay(each, thursday, [ada, grace])).toMatchObject({
        slots: [],
        isClosed: true,
        notes: ['Closed: Thanksgiving'],
      })
      const oneOff = getWorkingDay(each, wednesday, [ada, grace])
      expect(oneOff).toMatchObject({ slots: daySlots, isClosed: false, notes: ['Ada Okafor is off: Conference'] })
      expect([...oneOff.daysOff]).toEqual([['ada', 'Conference']])
      expect(getWorkingDay(each, wednesday, [ada]).slots).toEqual([])
      expect(getWorkingDay(each, friday, [ada, grace])).toMatchObject({
        slots: [],
        notes: ['Ada Okafor is off: Conference', 'Grace Liu is off'],
      })
    }
  })

  it('offers times in forms on every day', () => {
    expect(listFormSlots(calendar, friday)).toEqual(['08:00', '08:30'])
    expect(listFormSlots(calendar, monday)).toEqual(daySlots)
    expect(listFormSlots(unset, thursday)).toEqual(daySlots)
  })
})
