import type { DateFormat } from '#contracts/patient-import.ts'

/** A value as a date: valid, ambiguous until the order of day and month is known, or invalid. */
export type ReadDate =
  | { kind: 'date'; date: string }
  | { kind: 'ambiguous' }
  /** The reason in words that follow "Date of birth: …". The value stands before it. */
  | { kind: 'unreadable'; reason: string }

/** The order that a date with slashes shows: 13/05/2001 can only be day first. */
export type Order = 'mdy' | 'dmy' | 'either'

const monthNames = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]
const shortMonths = monthNames.map((name) => name.slice(0, 3).toLowerCase())

const yearFirst = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/
const compact = /^((?:19|20)\d{2})(\d{2})(\d{2})$/
const slashes = /^(\d{1,2})([/-])(\d{1,2})\2(\d{4}|\d{2})$/
const dots = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4}|\d{2})$/
const dayMonthName = /^(\d{1,2})(?:st|nd|rd|th)?[\s.-]+([a-z]{3,9})[\s.,-]+(\d{4}|\d{2})$/i
const monthNameDay = /^([a-z]{3,9})[\s.-]+(\d{1,2})(?:st|nd|rd|th)?[\s,.-]+(\d{4}|\d{2})$/i
const withTime = /^(.*\d)[T\s]+\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?\s*(?:[ap]\.?m\.?)?\s*(?:Z|UTC|[+-]\d{2}:?\d{2})?$/iu

const maxDateLength = 100

/** Removes a time after the date: "1996-02-24T00:00:00Z" names a day. */
const removeTime = (value: string) => {
  const trimmed = value.trim()
  // Searching a very long text for a time would take minutes and block all other requests.
  if (trimmed.length > maxDateLength) return trimmed
  return withTime.exec(trimmed)?.[1]?.trim() ?? trimmed
}

/** Returns the order that a date proves; null for dates without slashes, whose order is known. */
export function detectOrder(value: string): Order | null {
  const parts = slashes.exec(removeTime(value))
  if (!parts) return null
  // A leap year for two digits, which stand for several years.
  const year = parts[4]?.length === 2 ? 2000 : Number(parts[4])
  const [first, second] = [Number(parts[1]), Number(parts[3])]
  const monthFirst = calendarDate(year, first, second).kind === 'date'
  const dayFirst = calendarDate(year, second, first).kind === 'date'
  // 5/5/2001 is the same day in both orders, and 2/30/2001 is invalid in both: neither proves an order.
  if (first === second || (!monthFirst && !dayFirst)) return null
  return monthFirst && dayFirst ? 'either' : monthFirst ? 'mdy' : 'dmy'
}

/**
 * The time in which a date lies. `today`: the last possible day, YYYY-MM-DD. `isRecent`: of two possible centuries, the later one
 * is right; otherwise a person may be a child or a hundred years old.
 */
export type Period = { today: string; isRecent: boolean }

/**
 * Reads one date. `format` is null until it is known whether the month or the day comes first. A year of two digits is the one that
 * is neither in the future nor longer ago than a person lives.
 */
export function readDate(value: string, format: DateFormat | null, period: Period): ReadDate {
  const text = removeTime(value)
  const iso = yearFirst.exec(text)
  if (iso) return calendarDate(Number(iso[1]), Number(iso[3]), Number(iso[4]))
  const digits = compact.exec(text)
  if (digits) return calendarDate(Number(digits[1]), Number(digits[2]), Number(digits[3]))
  const dotted = dots.exec(text)
  if (dotted) return dateInPeriod(dotted[3], Number(dotted[2]), Number(dotted[1]), period)
  const named = namedMonth(text)
  if (named) return dateInPeriod(...named, period)
  const slashed = slashes.exec(text)
  if (slashed) return readSlashedDate(slashed, format, period)
  if (/^\d{4}$/.test(text)) return unreadable('a year alone is not a date')
  if (/^\d{5}(\.\d+)?$/.test(text))
    return unreadable('this is the number of a day in a spreadsheet, format the column as a date')
  return unreadable('this is not a date')
}

function readSlashedDate(parts: RegExpExecArray, format: DateFormat | null, period: Period): ReadDate {
  const [first, second, year] = [Number(parts[1]), Number(parts[3]), parts[4]]
  if (format === 'mdy' || first === second) return dateInPeriod(year, first, second, period)
  if (format === 'dmy') return dateInPeriod(year, second, first, period)
  if (format === 'iso') return unreadable('this is not written as year, month, day')
  return { kind: 'ambiguous' }
}

function namedMonth(text: string): [year: string | undefined, month: number, day: number] | null {
  const dayFirst = dayMonthName.exec(text)
  const [day, month, year] = dayFirst ? dayFirst.slice(1) : orderedByDay(monthNameDay.exec(text))
  const number = month === undefined ? 0 : monthNumber(month)
  return number > 0 ? [year, number, Number(day)] : null
}

const orderedByDay = (parts: RegExpExecArray | null) => (parts ? [parts[2], parts[1], parts[3]] : [])

/** Returns 1 to 12, or 0 for a word that is not a month. */
function monthNumber(word: string): number {
  const index = shortMonths.indexOf(word.slice(0, 3).toLowerCase())
  const full = monthNames[index]?.toLowerCase() ?? ''
  return full.startsWith(word.toLowerCase()) || word.toLowerCase() === 'sept' ? index + 1 : 0
}

/** The greatest age of a person, in years, that two digits are taken for. */
const maxAge = 110

/** Returns a date whose year may have two digits: the century in which a person may have been born, or recently died. */
function dateInPeriod(year: string | undefined, month: number, day: number, { today, isRecent }: Period): ReadDate {
  if (year?.length !== 2) return calendarDate(Number(year), month, day)
  const earliest = Number(today.slice(0, 4)) - maxAge
  const century = Math.floor(Number(today.slice(0, 4)) / 100) * 100
  const read = [century, century - 100].map((start) => calendarDate(start + Number(year), month, day))
  const possible = read.filter(
    (each) => each.kind === 'date' && each.date <= today && Number(each.date.slice(0, 4)) >= earliest,
  )
  const [later, earlier] = possible
  if (later && earlier && !isRecent) {
    const years = possible.map((each) => (each.kind === 'date' ? each.date.slice(0, 4) : ''))
    return unreadable(`the year may be ${years.join(' or ')}, please write four digits`)
  }
  return later ?? read[0] ?? unreadable('this is not a date')
}

function calendarDate(year: number, month: number, day: number): ReadDate {
  const name = monthNames[month - 1]
  if (!name) return unreadable(`month ${month} does not exist`)
  const last = new Date(Date.UTC(2000, 0, 1))
  last.setUTCFullYear(year, month, 0)
  if (day < 1 || day > last.getUTCDate())
    return unreadable(
      month === 2 && day === 29 ? `${name} 29 does not exist in ${year}` : `${name} ${day} does not exist`,
    )
  return { kind: 'date', date: `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}` }
}

const two = (part: number) => String(part).padStart(2, '0')

const unreadable = (reason: string): ReadDate => ({ kind: 'unreadable', reason })

/** Maximum number of ambiguous dates that are shown when the user has to choose. */
const shownDates = 5

/** The dates of a file seen so far. */
export type DateStatistics = {
  monthFirst: number
  dayFirst: number
  /** Dates with slashes that are valid in both orders. */
  either: { row: number; value: string }[]
  eitherCount: number
  /** The first order that a date proved. */
  firstProof: 'mdy' | 'dmy' | null
  dotted: number
}

export const emptyDateStatistics = (): DateStatistics => ({
  monthFirst: 0,
  dayFirst: 0,
  either: [],
  eitherCount: 0,
  firstProof: null,
  dotted: 0,
})

/** Records one more date. All date columns count together: a system writes dates in one way. */
export function recordDate(statistics: DateStatistics, row: number, value: string): void {
  const order = detectOrder(value)
  if (order === 'mdy') statistics.monthFirst++
  else if (order === 'dmy') statistics.dayFirst++
  else if (order === 'either') {
    statistics.eitherCount++
    if (statistics.either.length < shownDates) statistics.either.push({ row, value: value.trim().slice(0, 40) })
  } else if (dots.test(removeTime(value))) statistics.dotted++
  if (order === 'mdy' || order === 'dmy') statistics.firstProof ??= order
}

/**
 * Returns the date format of the file, or null when the user has to choose: when there are ambiguous dates and no date
 * proves the order, or dates prove both orders. Without ambiguous dates the order that most dates prove is used, and
 * dates that contradict it are invalid.
 */
export function detectDateFormat(statistics: DateStatistics): DateFormat | null {
  const { monthFirst, dayFirst, eitherCount, firstProof, dotted } = statistics
  const contradicting = monthFirst > 0 && dayFirst > 0
  if (eitherCount > 0 && (contradicting || firstProof === null)) return null
  if (monthFirst > dayFirst) return 'mdy'
  if (dayFirst > monthFirst) return 'dmy'
  return firstProof ?? (dotted > 0 ? 'dmy' : 'iso')
}
