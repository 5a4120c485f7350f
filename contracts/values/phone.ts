/** An extension as a stored number has it (RFC 3966). */
const extensionMark = ';ext='

/**
 * A phone number as it is stored: E.164, such as +16175550123, also with an extension, such as +16175550123;ext=45; or the text as
 * it was typed when it cannot be dialed. `number` is null for such a text.
 */
export type StoredPhone = { number: string | null; extension: string | null }

/** North American numbers have ten digits after the country code, others up to 14; 15 is the most of E.164. */
const dialable = /^\+(?:1\d{10}|[2-9]\d{5,14})$/

/** Parses a stored phone number. */
export function parseStoredPhone(stored: string): StoredPhone {
  const [number = '', extension] = stored.split(extensionMark)
  return dialable.test(number) ? { number, extension: extension ?? null } : { number: null, extension: null }
}

/** Returns a number in E.164 with its extension as it is stored. */
export const toStoredPhone = (e164: string, extension: string | null): string =>
  extension === null ? e164 : `${e164}${extensionMark}${extension}`

/** Returns whether text messages can be sent to a stored number: not behind an extension, nor to one that cannot be dialed. */
export function canReceiveTexts(stored: string): boolean {
  const { number, extension } = parseStoredPhone(stored)
  return number !== null && extension === null
}

/** Returns an extension as people write it after its number; empty without one. */
export const formatExtension = (extension: string | null): string => (extension === null ? '' : ` ext. ${extension}`)

/** Returns a stored number with its country code, as a form shows it: it is read as the same number again. */
export function formatWithCountry(stored: string): string {
  const { number, extension } = parseStoredPhone(stored)
  return number === null ? stored : `${number}${formatExtension(extension)}`
}

/** Returns the digits by which a stored number is found, without its extension. */
export const extractPhoneDigits = (stored: string): string =>
  (parseStoredPhone(stored).number ?? stored).replaceAll(/\D/g, '')
