/** Formats cents as dollars: 15000 as "150.00", 123456 as "1,234.56". */
export function formatDollars(cents: number): string {
  const digits = String(cents).padStart(3, '0')
  const dollars = digits.slice(0, -2).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')
  return `${dollars}.${digits.slice(-2)}`
}

/**
 * Parses an amount to cents without floating-point arithmetic: "1,234.5" is 123450, "$90" is 9000. Returns NaN for anything
 * else, including fractions of a cent.
 */
export function parseDollars(text: string): number {
  const parts = /^\$?\s*(\d+|\d{1,3}(?:,\d{3})+)(?:\.(\d{0,2}))?$/.exec(text.trim())
  if (!parts?.[1]) return Number.NaN
  const cents = Number(parts[1].replaceAll(',', '') + (parts[2] ?? '').padEnd(2, '0'))
  return Number.isSafeInteger(cents) ? cents : Number.NaN
}
