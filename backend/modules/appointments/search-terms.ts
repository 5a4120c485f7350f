import { AppointmentType } from '#contracts/values/appointments.ts'
import { addDays } from '#contracts/values/calendar.ts'
import { type IdRange, normalizeDates, parseDate, parseRecordId, toRealDate } from '../kit/search-text.ts'

/** A parsed search; an appointment must meet all conditions that are not empty. */
export type AppointmentSearch = {
  /** The id of an appointment or a patient. */
  ids: IdRange | null
  /** Local dates of the practice, YYYY-MM-DD: several for one without a year. */
  dates: readonly string[]
  types: readonly AppointmentType[]
  /** The words that name the patient. */
  patient: string
}

const relativeDays = new Map([
  ['yesterday', -1],
  ['today', 0],
  ['tomorrow', 1],
])

/** Letters from which on a word counts as a type: a shorter beginning is more likely a name. */
const minTypeLetters = 4

/** Parses a search of appointments. `today` is the local date of the practice. */
export function readAppointmentSearch(search: string, today: string): AppointmentSearch {
  const ids = parseRecordId(search)
  const found = { ids, dates: [] as string[], types: [] as AppointmentType[] }
  if (ids) return { ...found, patient: '' }
  const names: string[] = []
  for (const token of normalizeDates(search.normalize('NFKC'), { isYearOptional: true }).split(/[\s,;]+/u)) {
    const dates = readDates(token, today)
    const types = readTypes(token)
    if (dates.length > 0) found.dates.push(...dates)
    else if (types.length > 0) found.types.push(...types)
    else names.push(token)
  }
  return { ...found, patient: names.join(' ').trim() }
}

function readDates(token: string, today: string): string[] {
  const days = relativeDays.get(token.toLowerCase())
  if (days !== undefined) return [addDays(today, days)]
  const date = parseDate(token)
  if (date) return [date]
  const monthAndDay = /^--(\d\d)-(\d\d)$/.exec(token) ?? /^(\d{1,2})\/(\d{1,2})$/.exec(token)
  if (!monthAndDay) return []
  const [, month, day] = monthAndDay
  // February 29 may be four years away.
  const years = toRealDate('2001', month, day) ? 1 : 4
  const first = Number(today.slice(0, 4)) - years
  return Array.from({ length: 2 * years + 1 }, (_, n) => first + n).flatMap(
    (year) => toRealDate(String(year), month, day) ?? [],
  )
}

function readTypes(token: string): AppointmentType[] {
  const word = token.toLowerCase().replaceAll('-', '')
  if (word.length < minTypeLetters) return []
  return AppointmentType.options.filter((type) => type.replaceAll('-', '').startsWith(word))
}
