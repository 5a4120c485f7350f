/** Length of `2026-11-28 09:30:00+00`. */
const wholeSecondsLength = 22

/**
 * Returns an instant as PostgreSQL writes a `timestamptz` as ISO text in UTC with milliseconds. Texts in UTC are rearranged, because
 * a list has hundreds of them, and parsing and formatting a date takes twenty times as long. Throws RangeError for `infinity`.
 */
export function parseInstant(text: string): string {
  const isUtc = text.endsWith('+00') && text.length >= wholeSecondsLength && text[10] === ' '
  if (!isUtc) return new Date(text).toISOString()
  const fraction = text.slice(20, -3)
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.padEnd(3, '0').slice(0, 3)}Z`
}
