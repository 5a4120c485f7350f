const monthNames = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
]

/** Returns the number of a month ("Feb", "Sept.", "february") with two digits; null for any other word. */
function parseMonth(word: string): string | null {
  const name = word.toLowerCase()
  const index = name.length < 3 ? -1 : monthNames.findIndex((month) => month.startsWith(name))
  return index < 0 ? null : String(index + 1).padStart(2, '0')
}

/** Parses a date without spaces: 1996-02-24, 2/24/1996 (month first) and 24.2.1996 (day first). */
export function parseDate(token: string): string | null {
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(token)
  if (iso) return toRealDate(iso[1], iso[2], iso[3])
  const american = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(token)
  if (american) return toRealDate(american[3], american[1], american[2])
  const european = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(token)
  return european ? toRealDate(european[3], european[2], european[1]) : null
}

/** Returns a date as YYYY-MM-DD; null for one that does not exist. */
export function toRealDate(year = '', month = '', day = ''): string | null {
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const parsed = new Date(`${date}T00:00:00Z`)
  // JavaScript accepts the year 0; PostgreSQL fails on it.
  return date >= '0001' && !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(date) ? date : null
}

const monthFirst = /\b(\p{L}{3,9})\.?\s+(\d{1,2})(?:st|nd|rd|th)?(?:\s*,?\s+(\d{4}))?(?![\p{L}\p{N}])/giu
const dayFirst = /(?<![\p{L}\p{N}-])(\d{1,2})(?:st|nd|rd|th)?\s+(\p{L}{3,9})\.?(?:\s*,?\s+(\d{4}))?(?![\p{L}\p{N}])/giu

/**
 * Replaces dates with the name of a month, as screens show them ("Feb 3, 1980"), by YYYY-MM-DD; where the year is optional,
 * "Feb 3" by --02-03. Other text stays, also names such as "May" and "June".
 */
export function normalizeDates(text: string, { isYearOptional = false } = {}): string {
  const replace = (whole: string, month: string, day: string, year: string | undefined) => {
    if (year === undefined && !isYearOptional) return whole
    const number = parseMonth(month)
    // A leap year, so that February 29 is accepted without a year.
    const date = number && toRealDate(year ?? '2000', number, day)
    if (!date) return whole
    return year === undefined ? `-${date.slice(4)}` : date
  }
  return text
    .replaceAll(monthFirst, (whole, month: string, day: string, year?: string) => replace(whole, month, day, year))
    .replaceAll(dayFirst, (whole, day: string, month: string, year?: string) => replace(whole, month, day, year))
}

/** The ids (UUIDs) that begin with the same eight characters; both ends are included. */
export type IdRange = { first: string; last: string }

/** Parses an id, or its first eight characters, which screens show; null for any other text. */
export function parseRecordId(text: string): IdRange | null {
  const id = text.trim().toLowerCase()
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) return { first: id, last: id }
  if (!/^[0-9a-f]{8}$/.test(id)) return null
  return { first: `${id}-0000-0000-0000-000000000000`, last: `${id}-ffff-ffff-ffff-ffffffffffff` }
}
