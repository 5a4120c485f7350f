/** Formats a number with thousands separators: 1248 as "1,248". */
export const formatNumber = (number: number): string =>
  // Not `Intl` for a mere count: its first use takes a tenth of a second of a phone.
  Number.isSafeInteger(number) ? String(number).replaceAll(/\B(?=(?:\d{3})+$)/g, ',') : number.toLocaleString('en-US')

/** Returns first and last name, in this order. */
export const formatName = ({ firstName, lastName }: { firstName: string; lastName: string }): string =>
  `${firstName} ${lastName}`

/** Formats a count with its noun: "1 patient", "1,248 patients". */
export const formatCount = (count: number, singular: string, plural = `${singular}s`): string =>
  `${formatNumber(count)} ${count === 1 ? singular : plural}`

/** The text in place of a figure that cannot be computed yet. */
export const notEnoughData = 'Not enough data yet'
