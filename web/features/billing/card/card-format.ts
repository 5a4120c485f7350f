/** Text of a card field and the position of the caret. */
export type InputState = { text: string; caret: number }
type DigitFormatter = (digits: string) => string

const stripNonDigits = (text: string) => text.replaceAll(/\D/g, '')

/** Formats a card number in its printed groups: fours, or 4-6-5 for American Express; at most 19 digits. */
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

/** Formats an expiry date as on a card, "08 / 29". A first digit above 1 is a whole month. */
export const formatExpiry: DigitFormatter = (digits) => {
  const padded = /^[2-9]/.test(digits) ? `0${digits}` : digits
  // Autofill may enter a year of four digits.
  const year = padded.slice(2, 6)
  const shortYear = year.length === 4 && year.startsWith('20') ? year.slice(2) : year.slice(0, 2)
  return padded.length <= 2 ? padded : `${padded.slice(0, 2)} / ${shortYear}`
}

/** Formats a security code: at most four digits. */
export const formatCvc: DigitFormatter = (digits) => digits.slice(0, 4)

/** Formats the input and keeps the caret behind the same digit. */
export function reformatInput(format: DigitFormatter, { text, caret }: InputState): InputState {
  const grouped = format(stripNonDigits(text))
  const before = stripNonDigits(text.slice(0, caret)).length
  const atEnd = caret >= text.length
  if (atEnd) return { text: grouped, caret: grouped.length }
  let seen = 0
  for (const [index, character] of [...grouped].entries()) {
    if (seen === before) return { text: grouped, caret: index }
    if (/\d/.test(character)) seen += 1
  }
  return { text: grouped, caret: grouped.length }
}

/** Parses "08 / 29" into month and four-digit year; null while incomplete. */
export function parseExpiry(text: string): { expMonth: number; expYear: number } | null {
  const found = /^(\d{2}) \/ (\d{2})$/.exec(text)
  return found && { expMonth: Number(found[1]), expYear: 2000 + Number(found[2]) }
}
