import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js'

/** The result of reading a phone number. `message` is for the user who typed it. */
export type PhoneReading =
  | { status: 'number'; /** E.164, for example +16175550123. */ e164: string }
  | { status: 'refused'; message: string }

/**
 * Reads a phone number in the national format of a country, or with + and a country code. Possible numbers are
 * accepted, because new ranges are assigned faster than tables are updated.
 */
export function readPhone(typed: string, country: CountryCode = 'US'): PhoneReading {
  const number = parsePhoneNumberFromString(typed, { defaultCountry: country, extract: false })
  if (number?.ext) {
    return { status: 'refused', message: 'Please enter the number without its extension; the notes have room for it' }
  }
  if (!number?.isPossible()) return { status: 'refused', message: 'Please enter a valid phone number' }
  return { status: 'number', e164: number.number }
}

/** Returns a stored number in the national format of its country, for example (617) 555-0123. */
export function formatNationalPhone(e164: string): string {
  return parsePhoneNumberFromString(e164)?.formatNational() ?? e164
}

/** Returns the country of a practice's own number when it is written with +, otherwise the United States. */
export const dialingCountry = (practicePhone: string | null): CountryCode =>
  (practicePhone && parsePhoneNumberFromString(practicePhone, 'US')?.country) || 'US'
