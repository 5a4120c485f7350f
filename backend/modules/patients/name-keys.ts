import { apostrophes, nameKey, plainName, truncate } from '#modules/kit/name-key.ts'

const plainText = /^[\x20-\x7e]*$/
const plainWord = /^[A-Za-z]+$/
const endsInDigit = /\p{N}$/u

/** Returns the parts of three or more letters beside the apostrophes of a name. */
function wordsAtApostrophes(name: string): string[] {
  if (plainName.test(name)) return []
  const words = name.split(/\s+/u).filter((word) => word.search(apostrophes) >= 0)
  const parts = words.flatMap((word) => nameKey(word.replaceAll(apostrophes, ' ')).split(' '))
  return parts.filter((part) => [...part].length >= 3)
}

/**
 * Returns the distinct words of a name, in the form of `nameKey`. A word that ends in digits is also returned without
 * them: other systems number namesakes, and people do not search for numbers. "O'Connell" is also returned as "connell".
 */
export function splitWords(name: string): string[] {
  const words = [...nameKey(name).split(' ').filter(Boolean), ...wordsAtApostrophes(name)]
  const withDigits = words.filter((word) => endsInDigit.test(word))
  const bare = withDigits.map((word) => word.replace(/(?<=\p{L}{2})\p{N}+$/u, ''))
  return words.length === 1 && bare.length === 0 ? words : [...new Set([...words, ...bare])]
}

/** Returns a name as one word: people write "Van Kirk", "VanKirk" and "Van-Kirk" for the same name. */
const joinedKey = (name: string): string => nameKey(name).replaceAll(' ', '')

/** Returns first and last name as one key, equal for namesakes regardless of accents, apostrophes, hyphens and spaces. */
export const fullNameKey = (firstName: string, lastName: string): string =>
  `${joinedKey(firstName)} ${joinedKey(lastName)}`

/** Returns the sort key of the list: last name, then first name. Short enough for the URL of the next page. */
export const sortKey = (firstName: string, lastName: string): string =>
  `${truncate(60, nameKey(lastName))} ${truncate(60, nameKey(firstName))}`

/** Returns an e-mail address in lower case, for comparison. */
export const emailKey = (email: string): string => email.trim().toLowerCase()

/** Returns the parts of an e-mail address: `@grace`, `@navy`, `@mil`. The @ separates them from the words of names. */
export function emailPieces(email: string): string[] {
  const pieces = emailKey(email).split(plainText.test(email) ? /[^a-z0-9]+/ : /[^\p{L}\p{N}]+/u)
  return [...new Set(pieces.filter(Boolean).map((piece) => `@${piece}`))]
}

/**
 * Returns the prefixes of one to three letters (`h*`, `ho*`, `hop*`), which are searched while a user starts typing.
 */
export const listPrefixes = (word: string): string[] => {
  if (plainName.test(word)) return [1, 2, 3].filter((n) => n <= word.length).map((n) => `${word.slice(0, n)}*`)
  const letters = [...word]
  return [1, 2, 3].filter((count) => count <= letters.length).map((count) => `${letters.slice(0, count).join('')}*`)
}

/** Returns all search words of a patient: words of the names, also joined, their prefixes, parts of the e-mail address. */
export function searchWords(firstName: string, lastName: string, email: string | null): string[] {
  const joined = [firstName, lastName].flatMap((name) => (plainWord.test(name) ? [] : joinedKey(name) || []))
  const words = [...splitWords(firstName), ...splitWords(lastName), ...joined]
  return [...new Set([...words, ...words.flatMap(listPrefixes), ...(email ? emailPieces(email) : [])])]
}
