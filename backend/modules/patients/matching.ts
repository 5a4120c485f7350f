const apostrophes = /['’‘`´ʼʹ.]/gu
const separators = /[\p{P}\p{C}\s]+/gu
/** Accents of scripts in which a letter stays the same letter without them; in others a mark may be a vowel. */
const accents = /(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]\p{M}*)\p{M}/gu
const spelled: Record<string, string> = { ß: 'ss', ł: 'l', ø: 'o', đ: 'd', ð: 'd', þ: 'th', æ: 'ae', œ: 'oe', ı: 'i' }
const spelledLetters = /[ßłøđðþæœı]/gu

/**
 * A name as people compare names: without capitals, accents and punctuation, so that "José Gómez", "jose gomez" and
 * "JOSE  GOMEZ" are one. "O'Brien" is "obrien", "Smith-Jones" is "smith jones". Never empty for a text that is not blank.
 */
export function nameKey(name: string): string {
  const folded = name
    .normalize('NFKD')
    .replaceAll(accents, '')
    .toLowerCase()
    .replaceAll(spelledLetters, (letter) => spelled[letter] ?? letter)
    .normalize('NFKC')
  return folded.replaceAll(apostrophes, '').replaceAll(separators, ' ').trim() || folded.trim()
}

/** The different words of a name, each as `nameKey` writes it. */
export const wordsOf = (name: string): string[] => [...new Set(nameKey(name).split(' ').filter(Boolean))]

/** First and last name as one key: what makes two patients namesakes, whatever the accents. */
export const fullNameKey = (firstName: string, lastName: string): string => `${nameKey(firstName)} ${nameKey(lastName)}`

/** An e-mail address as it is compared: without capitals. */
export const emailKey = (email: string): string => email.trim().toLowerCase()
