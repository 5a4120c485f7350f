import { removeIdentifiers } from '#modules/assistant/public.ts'
import type { NamedProvider } from '../intent.ts'
import { getNameParts, isNameInSentence } from '../parse-names.ts'

/** A question without names. `people` and `providers` are what "Person 1" and "Provider 1" stand for, in their order. */
export type ScrubbedQuestion = { text: string; people: string[]; providers: string[][] }

const maxLength = 500

const wordPattern = /[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}'’-]*/gu

/** Returns the words of a question that may be names, as they are typed: the practice looks up which of them its patients have. */
export const listWords = (message: string): string[] => [
  ...new Set([...message.slice(0, maxLength).normalize('NFKC').matchAll(wordPattern)].map(([word]) => word)),
]

const isTitle = (word: string) => /^(?:dr|doctor|prof|mr|mrs|ms|nurse)$/i.test(word)

type Kind = { kind: 'person' } | { kind: 'provider'; ids: string[] } | null

/**
 * Replaces the names in a question, and removes whatever looks like a way to reach or find a person. `isPatientName` says
 * which words are in the name of a patient; a word with a capital letter within a sentence counts as one, too.
 */
export function scrubQuestion(
  message: string,
  isPatientName: (word: string) => boolean,
  providers: readonly NamedProvider[],
): ScrubbedQuestion {
  const text = removeIdentifiers(message.slice(0, maxLength).normalize('NFKC'), [])
  const people: string[] = []
  const found: string[][] = []
  const words = [...text.matchAll(wordPattern)]
  const capitals = words.filter(([word]) => /^\p{Lu}/u.test(word)).length
  // In a text of capital letters they say nothing.
  const isShouted = words.length > 2 && capitals > words.length / 2

  function findKind(word: string, index: number): Kind {
    const bare = word.replace(/['’]s$/iu, '')
    const parts = getNameParts(bare)
    const ids = providers
      .filter(({ name }) => parts.length > 0 && parts.every((part) => getNameParts(name).includes(part)))
      .map(({ id }) => id)
    const isCapital = /^\p{Lu}/u.test(bare)
    if (ids.length > 0 && (isCapital || isTitle(words[index - 1]?.[0] ?? ''))) return { kind: 'provider', ids }
    return isNameInSentence(bare, index > 0 && !isShouted) || isPatientName(bare) ? { kind: 'person' } : null
  }

  let scrubbed = ''
  let position = 0
  for (let index = 0; index < words.length; index++) {
    const kind = findKind(words[index]?.[0] ?? '', index)
    if (!kind) continue
    const start = words[index]?.index ?? 0
    let ids = kind.kind === 'provider' ? kind.ids : []
    // First and last name stand for one person.
    for (let next = findKind(words[index + 1]?.[0] ?? '', index + 1); next?.kind === kind.kind;) {
      const gap = text.slice(endOf(words[index]), words[index + 1]?.index)
      if (!/^[\s.]*$/.test(gap)) break
      if (next.kind === 'provider') ids = ids.filter((id) => next?.kind === 'provider' && next.ids.includes(id))
      index += 1
      next = findKind(words[index + 1]?.[0] ?? '', index + 1)
    }
    const end = endOf(words[index])
    const name = text.slice(start, end).replace(/['’]s$/iu, '')
    scrubbed += text.slice(position, start)
    if (kind.kind === 'provider') scrubbed += `Provider ${found.push(ids)}`
    else scrubbed += `Person ${people.push(name)}`
    position = end
  }
  return { text: scrubbed + text.slice(position), people, providers: found }
}

const endOf = (match: RegExpExecArray | undefined) => (match ? match.index + match[0].length : 0)
