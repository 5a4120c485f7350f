/** What a card field shows after somebody typed, and where the caret stands in it. */
export type InputState = { text: string; caret: number }
type DigitFormatter = (digits: string) => string

const stripNonDigits = (text: string) => text.replaceAll(/\D/g, '')

/** A card number in the groups it is embossed in: fours, and 4-6-5 on American Express. At most 19 digits. */
export const formatCardNumber: DigitFormatter = (digits) => {
  const sizes = /^3[47]/.test(digits) ? [4, 6, 5] : [4, 4, 4, 4, 3]
  const groups: string[] = []
  let rest = digits
  for (const size of sizes) {
    if (rest === '') break
    groups.push(rest.slice(0, size))
    rest = rest.slice(size)
  }
  return groups.join(' ')
}

/** A month and a year as they stand on a card, "08 / 29". A first digit above 1 can only be a month of its own. */
export const formatExpiry: DigitFormatter = (digits) => {
  const whole = /^[2-9]/.test(digits) ? `0${digits}` : digits
  // Whoever lets the browser fill it in may be given four digits of the year.
  const year = whole.slice(2, 6)
  const short = year.length === 4 && year.startsWith('20') ? year.slice(2) : year.slice(0, 2)
  return whole.length <= 2 ? whole : `${whole.slice(0, 2)} / ${short}`
}

/** The code on the back, or on the front of an American Express. */
export const formatCvc: DigitFormatter = (digits) => digits.slice(0, 4)

/** Brings what was typed into its groups, and keeps the caret behind the same digit. */
export function reformatInput(format: DigitFormatter, { text, caret }: InputState): InputState {
  const grouped = format(stripNonDigits(text))
  const before = stripNonDigits(text.slice(0, caret)).length
  const atEnd = caret >= text.length
  if (atEnd) return { text: grouped, caret: grouped.length }
  let seen = 0
  for (const [index, sign] of [...grouped].entries()) {
    if (seen === before) return { text: grouped, caret: index }
    if (/\d/.test(sign)) seen += 1
  }
  return { text: grouped, caret: grouped.length }
}

/** The month and the whole year of "08 / 29"; null while it is incomplete. */
export function parseExpiry(text: string): { expMonth: number; expYear: number } | null {
  const found = /^(\d{2}) \/ (\d{2})$/.exec(text)
  return found && { expMonth: Number(found[1]), expYear: 2000 + Number(found[2]) }
}
