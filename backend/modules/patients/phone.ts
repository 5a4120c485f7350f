import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js'

/** What a typed phone number turned out to be. `message` is for the person who typed it. */
export type PhoneReading =
  | { status: 'number'; /** E.164, for example +16175550123. */ e164: string }
  | { status: 'refused'; message: string }

/**
 * Reads a phone number as people of a country type it, or with + and any country's code. Possible is enough: numbers
 * are given out faster than tables of them are kept.
 */
export function readPhone(typed: string, country: CountryCode = 'US'): PhoneReading {
  const number = parsePhoneNumberFromString(typed, { defaultCountry: country, extract: false })
  if (number?.ext) {
    return { status: 'refused', message: 'Please enter the number without its extension; the notes have room for it' }
  }
  if (!number?.isPossible()) return { status: 'refused', message: 'Please enter a valid phone number' }
  return { status: 'number', e164: number.number }
}

/** A stored number as people of its own country write it, for example (617) 555-0123. */
export function formatNationalPhone(e164: string): string {
  return parsePhoneNumberFromString(e164)?.formatNational() ?? e164
}

/** The country a practice dials from: that of its own number where it is written with +, else the United States. */
export const dialingCountry = (practicePhone: string | null): CountryCode =>
  (practicePhone && parsePhoneNumberFromString(practicePhone, 'US')?.country) || 'US'
