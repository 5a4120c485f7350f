import { expect, it } from 'vitest'
import { computeAge, formatAge, formatDate, formatTime, formatTimeLeft } from '#web/ui/dates.ts'
import { getInitials } from '#web/ui/person.tsx'

it('formats a calendar date independent of the time zone', () => {
  expect(formatDate('1978-03-14')).toBe('Mar 14, 1978')
  expect(formatDate('someday')).toBe('someday')
  expect(formatDate('1981-02-31')).toBe('1981-02-31')
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
