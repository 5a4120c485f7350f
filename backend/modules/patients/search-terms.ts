import { normalizeDates, parseDate } from '../kit/search-text.ts'
import { nameKey } from '#modules/kit/name-key.ts'
import { emailPieces } from './name-keys.ts'
import { findInternationalDigits } from './phone.ts'

/** One condition of a search. A patient must meet all of them. */
export type SearchTerm =
  /** YYYY-MM-DD. */
  | { kind: 'birth-date'; date: string }
  /** Consecutive digits anywhere in the phone number; `international` are those of a number with its country code. */
  | { kind: 'phone'; digits: string; international?: string }
  | { kind: 'email'; part: EmailPart }
  /**
   * Words of a name, their prefixes, or similar words. `part` is set when the text may also be part of an e-mail
   * address.
   */
  | { kind: 'name'; words: readonly string[]; part: EmailPart | null }

/** Part of an e-mail address. When it is too short for an index of trigrams, only whole parts match. */
export type EmailPart = { text: string; pieces: readonly string[]; indexed: boolean }

/** Maximum number of words in a search, which limits the work; users rarely type more to find a person. */
const maxWords = 8

/**
 * Parses a search: "jose gomez", "617 555", "2/24/1996", "hopper@navy". Dates are 1996-02-24, 2/24/1996 (month first),
 * 24.2.1996 (day first) and "Feb 24, 1996". Returns no terms when there is nothing to search for.
 */
export function readSearch(search: string): SearchTerm[] {
  const terms: SearchTerm[] = []
  let digits = ''
  let typed = ''
  const endOfNumber = () => {
    if (digits.length >= 3) terms.push({ kind: 'phone', digits, ...readInternational(typed) })
    else if (digits !== '') terms.push({ kind: 'name', words: [digits], part: null })
    digits = ''
    typed = ''
  }
  for (const token of normalizeDates(withoutExtension(search.normalize('NFKC'))).split(/[\s,;]+/u)) {
    const date = parseDate(token)
    // Phone numbers are written with gaps: neighboring groups of digits are one number.
    if (!date && /^[+\d().\-/]*\d[\d().\-/]*$/u.test(token)) {
      digits += token.replaceAll(/\D/g, '')
      typed += `${token} `
      continue
    }
    if (/^[().\-/+]*$/u.test(token)) continue
    endOfNumber()
    if (date) terms.push({ kind: 'birth-date', date })
    else terms.push(...readWord(token))
  }
  endOfNumber()
  return limitWords(terms)
}

function readInternational(typed: string): { international?: string } {
  const international = findInternationalDigits(typed)
  return international === null ? {} : { international }
}

/** Removes the extension after a phone number: numbers are found without it. */
const withoutExtension = (search: string) =>
  search.replaceAll(/(\d[\s).-]{0,3}\d\)?)\s*(?:x|ext\.?|extension)\s?\d{1,7}(?!\p{L}|\d)/giu, '$1')

/** Limits the number of words. Parts of a hyphenated word count separately: each is looked up. */
function limitWords(terms: readonly SearchTerm[]): SearchTerm[] {
  let room = maxWords
  return terms.flatMap((term) => {
    const words = term.kind === 'name' ? term.words.slice(0, room) : []
    if (room === 0) return []
    room -= Math.max(1, words.length)
    return [term.kind === 'name' ? { ...term, words } : term]
  })
}

function readWord(token: string): SearchTerm[] {
  const text = token.toLowerCase()
  const part = { text, pieces: emailPieces(text), indexed: /[a-z0-9]{3}/.test(text) }
  if (token.includes('@')) return part.pieces.length > 0 ? [{ kind: 'email', part }] : []
  if (!/[\p{L}\p{N}\p{S}]/u.test(token)) return []
  return [{ kind: 'name', words: nameKey(token).split(' '), part: part.indexed ? part : null }]
}

/** Returns the number of typing errors that a word may have: none in two letters, two in a long word. */
export const maxTypingErrors = (word: string): number => {
  const { length } = [...word]
  return length < 3 ? 0 : length < 7 ? 1 : 2
}

/** Returns the known words with the fewest typing errors, if these are few enough. */
export function nearest(word: string, known: readonly string[], most = maxTypingErrors(word)): string[] {
  const distances = known.map((other) => ({ other, errors: typingErrors(word, other) }))
  const fewest = Math.min(most, ...distances.map(({ errors }) => errors))
  return distances.filter(({ errors }) => errors === fewest).map(({ other }) => other)
}

/** Returns the number of letters omitted, added, mistyped or swapped with their neighbor between two words. */
export function typingErrors(from: string, to: string): number {
  const [a, b] = [[...from], [...to]]
  if (Math.abs(a.length - b.length) > 2) return 3
  let previous: number[] = []
  let current = b.map((_, index) => index + 1)
  current.unshift(0)
  for (let i = 1; i <= a.length; i++) {
    const earlier = previous
    previous = current
    current = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      let errors = Math.min(at(previous, j) + 1, at(current, j - 1) + 1, at(previous, j - 1) + same)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        errors = Math.min(errors, at(earlier, j - 2) + 1)
      current.push(errors)
    }
  }
  return at(current, b.length)
}

const at = (row: readonly number[], index: number) => row[index] ?? Infinity

/**
 * Returns the variants of a word with two neighboring letters swapped or one letter removed: errors that trigrams find
 * poorly.
 */
export function typoVariants(word: string): string[] {
  const letters = [...word]
  const swapped = letters
    .slice(1)
    .map((letter, index) => [...letters.slice(0, index), letter, letters[index], ...letters.slice(index + 2)].join(''))
  const without = letters.map((_, index) => letters.toSpliced(index, 1).join(''))
  return [...new Set([...swapped, ...without])].filter((slip) => slip !== word && slip !== '')
}
