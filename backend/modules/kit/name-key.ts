/**
 * The marks that people type for the apostrophe of a name, its letters in Hawaiian, Arabic and Hebrew names among them. They are
 * removed before NFKD, too, which turns some of them into a space and an accent.
 */
export const apostrophes = /['’‘‛`´ʹʻʼʽʾʿˈ′‵＇]/gu
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
export const plainName = /^[A-Za-z0-9]+(?: [A-Za-z0-9]+)*$/

/**
 * Returns a name as people compare names: without case, accents and punctuation, so that "José Gómez", "jose gomez" and
 * "JOSE  GOMEZ" are equal. "O'Brien" becomes "obrien", "Smith-Jones" "smith jones". Never empty for a text that is not
 * blank.
 */
export function nameKey(name: string): string {
  if (name.length <= maxKeyLength && plainName.test(name)) return name.toLowerCase()
  const folded = name
    .replaceAll(apostrophes, '')
    .normalize('NFKD')
    .replaceAll(accents, '')
    .toLowerCase()
    .replaceAll(expandedLetters, (letter) => expansions[letter] ?? letter)
    .normalize('NFKC')
  return truncate(
    maxKeyLength,
    folded.replaceAll(apostrophes, '').replaceAll(separators, ' ').trim() || folded.trim() || name.trim(),
  )
}

/** Returns the first letters of a text; never half of a surrogate pair. */
export const truncate = (letters: number, text: string) =>
  text.length <= letters ? text : [...text].slice(0, letters).join('').trim()
