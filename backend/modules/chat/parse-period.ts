import { addDays } from '#contracts/values/calendar.ts'
import { getWeekday, Weekday } from '#contracts/values/working-hours.ts'
import { normalizeDates, parseDate, toRealDate } from '../kit/search-text.ts'

/** Local dates of a practice, YYYY-MM-DD, both included. */
export type Period = { from: string; until: string }

/** A text without the period that it named, which is null when it named none. */
export type ParsedPeriod = { period: Period | null; rest: string }

const numberWords = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
const numberPattern = String.raw`\d{1,2}|an?|one|two|three|four|five|six|seven|eight|nine|ten`

/** The longest distance that a number of days or weeks may name, in days. */
const maxDistanceDays = 366

function toDays(count: string, unit: string): number {
  const word = count.toLowerCase()
  const number = /^an?$/.test(word) ? 1 : numberWords.includes(word) ? numberWords.indexOf(word) : Number(word)
  return Math.min(maxDistanceDays, number * (/^week/i.test(unit) ? 7 : 1))
}

const oneDay = (date: string): Period => ({ from: date, until: date })

/** Returns the Monday of the week of a date. */
const getMonday = (date: string): string => addDays(date, -Weekday.options.indexOf(getWeekday(date)))

const getMonthStart = (date: string, months: number): string => {
  const first = new Date(`${date.slice(0, 7)}-01T00:00:00Z`)
  first.setUTCMonth(first.getUTCMonth() + months)
  return first.toISOString().slice(0, 10)
}

/** Returns a week (Monday to Sunday), its weekend, a month or a year; `distance` is -1 for the last one, 0 for this one. */
function getSpan(unit: string, distance: number, today: string): Period {
  const monday = addDays(getMonday(today), 7 * distance)
  switch (unit) {
    case 'week':
      return { from: monday, until: addDays(monday, 6) }
    case 'weekend':
      return { from: addDays(monday, 5), until: addDays(monday, 6) }
    case 'month':
      return { from: getMonthStart(today, distance), until: addDays(getMonthStart(today, distance + 1), -1) }
    default: {
      const year = Number(today.slice(0, 4)) + distance
      return { from: `${year}-01-01`, until: `${year}-12-31` }
    }
  }
}

const distances: Record<string, number> = { last: -1, past: -1, previous: -1, next: 1, coming: 1 }

/**
 * Returns the date of a weekday: the coming one, which may be today; with `next` that of the following week, with `last` the
 * latest one before today.
 */
function getWeekdayDate(name: string, which: string, today: string): string {
  const index = Weekday.options.findIndex((day) => day.startsWith(name.toLowerCase().slice(0, 3)))
  const ahead = (index - Weekday.options.indexOf(getWeekday(today)) + 7) % 7
  if (distances[which] === -1) return addDays(today, ahead - 7)
  return which === 'next' ? addDays(addDays(getMonday(today), 7), index) : addDays(today, ahead)
}

/** Returns a date without a year in the year of today, or in the next one when it is more than half a year ago. */
function addYear(month: string, day: string, today: string): string | null {
  const year = Number(today.slice(0, 4))
  const date = toRealDate(String(year), month, day)
  return date && date < addDays(today, -183) ? toRealDate(String(year + 1), month, day) : date
}

type Rule = [pattern: RegExp, find: (match: RegExpExecArray, today: string) => Period | null]

const dayNames = 'monday|tuesday|wednesday|thursday|friday|saturday|sunday|tues|weds|thurs|thur'
// Short names only after a word of time: Sun, Sat, Mon and Wed are also other words, or names.
const shortDayNames = 'mon|tue|wed|thu|fri|sat|sun'

const toPeriod = (date: string | null): Period | null => (date === null ? null : oneDay(date))

/** The ways to name a period, the first one that matches wins. */
const rules: readonly Rule[] = [
  [/(?<![\d-])(\d{4}-\d{1,2}-\d{1,2})(?![\d-])/, ([, date = '']) => toPeriod(parseDate(date))],
  [/(?<![\d-])--(\d\d)-(\d\d)(?![\d-])/, ([, month = '', day = ''], today) => toPeriod(addYear(month, day, today))],
  [
    /(?<![\d/])(\d{1,2})\/(\d{1,2})(?:\/(\d{4}|\d\d))?(?![\d/])/,
    ([, month = '', day = '', year], today) => {
      if (year === undefined) return toPeriod(addYear(month, day, today))
      return toPeriod(toRealDate(year.length === 2 ? `20${year}` : year, month, day))
    },
  ],
  [/(?<![\d.])(\d{1,2}\.\d{1,2}\.\d{4})(?![\d.])/, ([, date = '']) => toPeriod(parseDate(date))],
  [/\bday after tomorrow\b/i, (_, today) => oneDay(addDays(today, 2))],
  [/\bday before yesterday\b/i, (_, today) => oneDay(addDays(today, -2))],
  [/\b(?:tomm?orr?ow|tmrw|tmr)(?:'?s)?\b/i, (_, today) => oneDay(addDays(today, 1))],
  [/\byesterday(?:'?s)?\b/i, (_, today) => oneDay(addDays(today, -1))],
  [/\b(?:today(?:'?s)?|tonight|right now|this (?=morning|afternoon|evening))/i, (_, today) => oneDay(today)],
  [
    new RegExp(String.raw`\b(?:the |over )*(next|coming|last|past) (${numberPattern}) (days?|weeks?)\b`, 'i'),
    ([, which = '', count = '', unit = ''], today) => {
      const days = Math.max(1, toDays(count, unit)) - 1
      const isPast = distances[which.toLowerCase()] === -1
      return isPast ? { from: addDays(today, -days), until: today } : { from: today, until: addDays(today, days) }
    },
  ],
  [
    new RegExp(String.raw`\b(?:in|after) (${numberPattern}) (days?|weeks?)\b`, 'i'),
    ([, count = '', unit = ''], today) => oneDay(addDays(today, toDays(count, unit))),
  ],
  [
    new RegExp(String.raw`\b(${numberPattern}) (days?|weeks?) ago\b`, 'i'),
    ([, count = '', unit = ''], today) => oneDay(addDays(today, -toDays(count, unit))),
  ],
  [
    /\b(this|next|coming|last|past|previous|current) (weekend|week|month|year)(?:'?s)?\b/i,
    ([, which = '', unit = ''], today) => getSpan(unit.toLowerCase(), distances[which.toLowerCase()] ?? 0, today),
  ],
  [/\bthe (weekend|week|month)\b/i, ([, unit = ''], today) => getSpan(unit.toLowerCase(), 0, today)],
  [
    new RegExp(String.raw`\b(?:(next|last|past|this|coming) )?(${dayNames})(?:'?s)?\b`, 'i'),
    ([, which = '', name = ''], today) => oneDay(getWeekdayDate(name, which.toLowerCase(), today)),
  ],
  [
    new RegExp(String.raw`\b(next|last|past|this|coming|on|for) (${shortDayNames})\b`, 'i'),
    ([, which = '', name = ''], today) => oneDay(getWeekdayDate(name, which.toLowerCase(), today)),
  ],
]

/** Finds the first date or period that a text names, relative to a local date, and takes it out of the text. */
export function parsePeriod(text: string, today: string): ParsedPeriod {
  const normal = normalizeDates(text.replaceAll(/(\d)(?:st|nd|rd|th) of (?=\p{L})/giu, '$1 '), { isYearOptional: true })
  for (const [pattern, find] of rules) {
    const match = pattern.exec(normal)
    const period = match && find(match, today)
    if (!period) continue
    return { period, rest: `${normal.slice(0, match.index)} ${normal.slice(match.index + match[0].length)}` }
  }
  return { period: null, rest: text }
}
