import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  computeAge,
  formatAge,
  formatDate,
  formatDateTime,
  formatLocalDate,
  formatTime,
  formatTimeLeft,
  spellDate,
} from '#web/ui/dates.ts'
import { getInitials } from '#web/ui/person.tsx'

it('formats a calendar date independent of the time zone', () => {
  expect(formatDate('1978-03-14')).toBe('Mar 14, 1978')
  expect(formatDate('someday')).toBe('someday')
  expect(formatDate('1981-02-31')).toBe('1981-02-31')
})

const instants = fc.date({ min: new Date('1000-01-01'), max: new Date('9999-12-30'), noInvalidDate: true })
const createFormat = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en-US', options)

it('names months and weekdays as Intl does', () => {
  const whole = createFormat({ weekday: 'long', month: 'long', day: 'numeric', year: 'numeric', timeZone: 'UTC' })
  const short = createFormat({ weekday: 'short', month: 'short', day: 'numeric', timeZone: 'UTC' })
  fc.assert(
    fc.property(instants, (instant) => {
      const { weekday, shortWeekday, month, shortMonth, day, year } = spellDate(instant.toISOString().slice(0, 10))
      expect(`${weekday}, ${month} ${day}, ${year}`).toBe(whole.format(instant))
      expect(`${shortWeekday}, ${shortMonth} ${day}`).toBe(short.format(instant))
    }),
  )
  expect(() => spellDate('someday')).toThrow(RangeError)
})

it("formats instants in the browser's time zone as Intl does", () => {
  const date = createFormat({ month: 'short', day: 'numeric', year: 'numeric' })
  const time = createFormat({ hour: 'numeric', minute: '2-digit' })
  const recent = fc.date({ min: new Date('1975-01-01'), max: new Date('9999-12-30'), noInvalidDate: true })
  fc.assert(
    fc.property(recent, (instant) => {
      expect(formatLocalDate(instant.toISOString())).toBe(date.format(instant))
      const dateTime = `${date.format(instant)}, ${time.format(instant)}`
      expect(formatDateTime(instant.toISOString(), new Date('1970-06-01T12:00:00Z'))).toBe(dateTime)
      expect(formatDateTime(instant.toISOString(), instant)).toBe(`Today, ${time.format(instant)}`)
    }),
  )
})

it.each([
  ['00:05', '12:05 AM'],
  ['09:00', '9:00 AM'],
  ['12:30', '12:30 PM'],
  ['17:00', '5:00 PM'],
])('formats the time %s as %s', (time, text) => expect(formatTime(time)).toBe(text))

it('computes the age by birthdays', () => {
  expect(computeAge('1978-03-14', '2026-03-13')).toBe(47)
  expect(computeAge('1978-03-14', '2026-03-14')).toBe(48)
})

it.each([
  ['1978-03-14', '48 years'],
  ['2025-11-21', '1 year'],
  ['2025-11-22', '11 months'],
  ['2026-10-21', '1 month'],
  ['2026-11-20', '0 months'],
])('formats the age of a person born on %s as %s', (born, age) => {
  expect(formatAge(born, '2026-11-21')).toBe(age)
})

it.each([
  [2, 'a few seconds left'],
  [38, 'about 40 seconds left'],
  [58, 'about 1 minute left'],
  [130, 'about 3 minutes left'],
])('formats %s seconds as %s', (seconds, text) => {
  expect(formatTimeLeft(seconds)).toBe(text)
})

it.each([
  ['Maria Alvarez', 'MA'],
  ['Fatima Zahra Bennani', 'FB'],
  ['Cher', 'C'],
  ["'t Hooft, Gerard", 'TG'],
  ['李 小龙', '李小'],
  ['', ''],
])('abbreviates %s to %s', (name, initials) => {
  expect(getInitials(name)).toBe(initials)
})
