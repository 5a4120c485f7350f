const apostrophes = /['’‘`´ʼʹ]/gu
const separators = /[\p{P}\p{C}\s]+/gu
/**
 * Accents in scripts in which a letter without its accent stays the same letter; in other scripts a mark may be a
 * vowel.
 */
const accents = /(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]\p{M}*)\p{M}/gu
const expansions: Record<string, string> = {
  ß: 'ss',
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
}
const expandedLetters = /[ßłøđðþæœı]/gu
/** Maximum length of a key, so that it fits into an index: some characters expand into many. */
const maxKeyLength = 150

/** A fast path: most names are this plain and need no normalization. */
const plainName = /^[A-Za-z0-9]+(?: [A-Za-z0-9]+)*$/
const plainText = /^[\x20-\x7e]*$/

/**
 * Returns a name as people compare names: without case, accents and punctuation, so that "José Gómez", "jose gomez" and
 * "JOSE  GOMEZ" are equal. "O'Brien" becomes "obrien", "Smith-Jones" "smith jones". Never empty for a text that is not
 * blank.
 */
export function nameKey(name: string): string {
  if (name.length <= maxKeyLength && plainName.test(name)) return name.toLowerCase()
  const folded = name
    .normalize('NFKD')
    .replaceAll(accents, '')
    .toLowerCase()
    .replaceAll(expandedLetters, (letter) => expansions[letter] ?? letter)
    .normalize('NFKC')
  return truncate(maxKeyLength, folded.replaceAll(apostrophes, '').replaceAll(separators, ' ').trim() || folded.trim())
}

const truncate = (letters: number, text: string) =>
  text.length <= letters ? text : [...text].slice(0, letters).join('').trim()

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

/** Returns first and last name as one key, equal for namesakes regardless of accents. */
export const fullNameKey = (firstName: string, lastName: string): string => `${nameKey(firstName)} ${nameKey(lastName)}`

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

/** Returns all search words of a patient: words of the names, their prefixes, parts of the e-mail address. */
export function searchWords(firstName: string, lastName: string, email: string | null): string[] {
  const words = [...splitWords(firstName), ...splitWords(lastName)]
  return [...new Set([...words, ...words.flatMap(listPrefixes), ...(email ? emailPieces(email) : [])])]
}
