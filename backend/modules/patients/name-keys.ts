const apostrophes = /['’‘`´ʼʹ]/gu
const separators = /[\p{P}\p{C}\s]+/gu
/** Accents of scripts in which a letter stays the same letter without them; in others a mark may be a vowel. */
const accents = /(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]\p{M}*)\p{M}/gu
const spelled: Record<string, string> = { ß: 'ss', ł: 'l', ø: 'o', đ: 'd', ð: 'd', þ: 'th', æ: 'ae', œ: 'oe', ı: 'i' }
const spelledLetters = /[ßłøđðþæœı]/gu
/** Some single characters unfold into many; a key longer than this would not fit into an index. */
const maxKeyLength = 150

/** Most names are this plain; they need none of what is done for the others, and it is done for every name of a record. */
const plainName = /^[A-Za-z0-9]+(?: [A-Za-z0-9]+)*$/
const plainText = /^[\x20-\x7e]*$/

/**
 * A name as people compare names: without capitals, accents and punctuation, so that "José Gómez", "jose gomez" and
 * "JOSE  GOMEZ" are one. "O'Brien" is "obrien", "Smith-Jones" is "smith jones". Never empty for a text that is not blank.
 */
export function nameKey(name: string): string {
  if (name.length <= maxKeyLength && plainName.test(name)) return name.toLowerCase()
  const folded = name
    .normalize('NFKD')
    .replaceAll(accents, '')
    .toLowerCase()
    .replaceAll(spelledLetters, (letter) => spelled[letter] ?? letter)
    .normalize('NFKC')
  return atMost(maxKeyLength, folded.replaceAll(apostrophes, '').replaceAll(separators, ' ').trim() || folded.trim())
}

const atMost = (letters: number, text: string) =>
  text.length <= letters ? text : [...text].slice(0, letters).join('').trim()

const endsInDigit = /\p{N}$/u

/**
 * The different words of a name, each as `nameKey` writes it. A word that ends in digits counts without them as well:
 * other systems number their namesakes, and people do not search for numbers.
 */
export function splitWords(name: string): string[] {
  const words = nameKey(name).split(' ').filter(Boolean)
  const numbered = words.filter((word) => endsInDigit.test(word))
  const bare = numbered.map((word) => word.replace(/(?<=\p{L}{2})\p{N}+$/u, ''))
  return words.length === 1 && bare.length === 0 ? words : [...new Set([...words, ...bare])]
}

/** First and last name as one key: what makes two patients namesakes, whatever the accents. */
export const fullNameKey = (firstName: string, lastName: string): string => `${nameKey(firstName)} ${nameKey(lastName)}`

/** What the list is sorted by: last name, then first name. Short enough for the address of the next page. */
export const sortKey = (firstName: string, lastName: string): string =>
  `${atMost(60, nameKey(lastName))} ${atMost(60, nameKey(firstName))}`

/** An e-mail address as it is compared: without capitals. */
export const emailKey = (email: string): string => email.trim().toLowerCase()

/** The pieces of an e-mail address: `@grace`, `@navy`, `@mil`. The @ keeps them apart from the words of names. */
export function emailPieces(email: string): string[] {
  const pieces = emailKey(email).split(plainText.test(email) ? /[^a-z0-9]+/ : /[^\p{L}\p{N}]+/u)
  return [...new Set(pieces.filter(Boolean).map((piece) => `@${piece}`))]
}

/** How a name begins, in one to three letters (`h*`, `ho*`, `hop*`): what is looked up while somebody starts typing. */
export const prefixesOf = (word: string): string[] => {
  if (plainName.test(word)) return [1, 2, 3].filter((n) => n <= word.length).map((n) => `${word.slice(0, n)}*`)
  const letters = [...word]
  return [1, 2, 3].filter((count) => count <= letters.length).map((count) => `${letters.slice(0, count).join('')}*`)
}

/** Everything a patient is found by in the index of words: words of the names, their beginnings, pieces of the e-mail. */
export function searchWords(firstName: string, lastName: string, email: string | null): string[] {
  const words = [...splitWords(firstName), ...splitWords(lastName)]
  return [...new Set([...words, ...words.flatMap(prefixesOf), ...(email ? emailPieces(email) : [])])]
}
