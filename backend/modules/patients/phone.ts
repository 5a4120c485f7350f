import { type CountryCode, parsePhoneNumberFromString, type PhoneNumber } from 'libphonenumber-js'
import { extractPhoneDigits, formatExtension, parseStoredPhone, toStoredPhone } from '#contracts/values/phone.ts'

/** The result of reading a phone number. `message` is for the user who typed it. */
export type PhoneReading =
  /** `stored`: E.164, for example +16175550123, with its extension; or the text itself when it cannot be dialed. */
  { status: 'number' | 'kept'; stored: string } | { status: 'refused'; message: string }

/** Prefixes of international calls that people of other countries write: 00 of the ITU, 011 of North America. */
const internationalPrefix = /^[\s(]*(?:00|011)[\s).-]*(?=[1-9])/

/** A trunk zero that people leave in an international number: +44 (0)20, +44 020. */
const trunkZero = /^(\+\d{1,3}[\s.-]*)\(0\)/

/** An extension at the end of a number, which a person behind it connects. */
const extensionPattern = /^(.*\d\)?)[\s,;]*(?:x|ext\.?|extension|durchwahl|poste)[\s.:=]*(\d{1,7})$/i

/** A text that is meant as a number although it cannot be dialed: at least four digits, and what people write between them. */
const numberLike = /^(?=(?:\D*\d){4})(?!(?:\D*\d){21})[\p{Nd}\s+()./*#-]{4,40}$/u

const parse = (text: string, country: CountryCode): PhoneNumber | undefined =>
  parsePhoneNumberFromString(text, { defaultCountry: country, extract: false })

/**
 * Returns whether a number was typed with the trunk prefix of its country, such as the 0 of 07700 900123: then it is a whole
 * number, and not the part of one that is dialed within a town.
 */
const hasTrunkPrefix = (text: string, { nationalNumber }: PhoneNumber) => {
  const digits = text.replaceAll(/\D/g, '')
  return digits.startsWith('0') && digits.length > nationalNumber.length && digits.endsWith(nationalNumber)
}

/**
 * Returns the number that a text without an extension means. Without a country code or a trunk prefix it must be one that exists
 * in the plan of the country: a part of a number would become another number. With one it only has to be possible, because new
 * ranges are assigned faster than tables are updated.
 */
function findNumber(typed: string, country: CountryCode): string | null {
  const text = typed.replace(trunkZero, '$1')
  const number = parse(text, country)
  const isInternational = /^\s*[+＋]/u.test(text)
  if (number?.isValid()) return number.number
  if (number?.isPossible() && (isInternational || hasTrunkPrefix(text, number))) return number.number
  if (!internationalPrefix.test(text)) return null
  const dialed = parse(text.replace(internationalPrefix, '+').replace(trunkZero, '$1'), country)
  return dialed?.isPossible() ? dialed.number : null
}

/**
 * Reads a phone number in the national format of a country, or with its country code: +44, 0044, 011 44, also with the trunk zero
 * that belongs only to the national format. All spellings of a number become the same; an extension is kept.
 */
export function readPhone(typed: string, country: CountryCode = 'US'): PhoneReading {
  const text = typed.normalize('NFKC').trim()
  const [, main = text, extension = null] = extensionPattern.exec(text) ?? []
  const e164 = findNumber(main, country)
  if (e164 !== null) return { status: 'number', stored: toStoredPhone(e164, extension) }
  // A text that is stored must not look like a number that can be dialed.
  if (numberLike.test(main) && parseStoredPhone(text).number === null) return { status: 'kept', stored: text }
  return { status: 'refused', message: 'Please enter a valid phone number' }
}

/** The most numbers whose national format is kept: two megabytes. */
const maxKept = 20_000

/** National formats by stored number: a page of a list needs twenty, and finding one takes longer than reading its row. */
const kept = new Map<string, string>()

/** Returns a stored number in the national format of its country, for example (617) 555-0123; another text as it is. */
export function formatNationalPhone(stored: string): string {
  const known = kept.get(stored)
  if (known !== undefined) return known
  if (kept.size >= maxKept) kept.clear()
  const formatted = findNationalFormat(stored)
  kept.set(stored, formatted)
  return formatted
}

function findNationalFormat(stored: string): string {
  const { number, extension } = parseStoredPhone(stored)
  const parsed = number === null ? undefined : parsePhoneNumberFromString(number)
  return parsed ? `${parsed.formatNational()}${formatExtension(extension)}` : stored
}

/**
 * Returns the digits of a number that is typed with its country code in another way than it is stored, such as 0044 or +44 (0);
 * null for other texts.
 */
export function findInternationalDigits(typed: string): string | null {
  const [, main = typed] = extensionPattern.exec(typed.trim()) ?? []
  if (!/^\s*[+＋]/u.test(main) && !internationalPrefix.test(main)) return null
  const e164 = findNumber(main, 'US')
  const digits = e164 && extractPhoneDigits(e164)
  return digits === main.replaceAll(/\D/g, '') ? null : digits
}

/** Returns the country of a practice's own number when it is written with +, otherwise the United States. */
export const dialingCountry = (practicePhone: string | null): CountryCode =>
  (practicePhone && parsePhoneNumberFromString(practicePhone, 'US')?.country) || 'US'
