import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import { groupQueries } from '#database/group-calls.ts'
import { listOf, prepared } from '#database/prepared.ts'
import { type IdRange, parseRecordId } from '../kit/search-text.ts'
import { listPrefixes } from './name-keys.ts'
import { noBirthDate } from './projection.ts'
import { type EmailPart, maxTypingErrors, nearest, readSearch, type SearchTerm, typoVariants } from './search-terms.ts'

const WordRow = z.object({ word: z.string() })

type Fragment = ReturnType<typeof sql.fragment>

/** The condition for a match, and its score: 0 is best, and each term adds to it. */
type TermConditions = { where: Fragment; score: Fragment }

/** `isFrequent` is true when the text of the conditions is one of some twenty, of which most searches are made. */
export type SearchConditions = TermConditions & { isFrequent: boolean }

/** The words of the practice's names that a typed word may match. */
type Meaning = { beginning: string[]; near: string[]; known: boolean }

const maxPrefixLength = 3
const maxPrefixMatches = 300
const maxNeighbors = 40
/** A word that fewer patients have as a prefix may be a typing error itself. */
const rareWordLimit = 5

/**
 * Translates a search into conditions that the indexes of `read.patients` support. Typing errors are resolved before,
 * in the small table of name words, so that patients are only looked up by exact words. Returns undefined when nothing
 * can be found.
 */
export async function searchConditions(
  db: CommonQueryMethods,
  practiceId: string,
  search: string,
): Promise<SearchConditions | undefined> {
  const ids = parseRecordId(search)
  if (ids && ids.first === ids.last) return { where: hasId(ids), score: nothing, isFrequent: true }
  const terms = readSearch(search)
  if (terms.length === 0) return undefined
  const meanings = await findMeanings(db, practiceId, [
    ...new Set(terms.flatMap((term) => (term.kind === 'name' ? term.words : []))),
  ])
  const conditions = terms.map((term) => termCondition(term, meanings))
  const where = all(conditions.map((condition) => sql.fragment`(${condition.where})`))
  const score = sum(conditions.map((condition) => condition.score))
  // Eight digits may also be a phone number, and eight letters a name.
  if (!ids) return { where, score, isFrequent: isFrequentSearch(terms) }
  return {
    where: sql.fragment`(${hasId(ids)} or (${where}))`,
    score: sql.fragment`case when ${hasId(ids)} then 0 else 1 + ${score} end`,
    isFrequent: false,
  }
}

/** One term, or a first and a last name: the number of other texts grows with each term. */
const isFrequentSearch = (terms: readonly SearchTerm[]) =>
  terms.length <= (terms.every(({ kind }) => kind === 'name') ? 2 : 1) &&
  terms.every((term) => term.kind !== 'name' || term.words.length === 1)

const hasId = ({ first, last }: IdRange) => sql.fragment`id between ${first}::uuid and ${last}::uuid`

/** The number of a limit as text: PostgreSQL plans a named statement with a parameter for a tenth of its rows. */
export const literal = (number: number): Fragment => sql.fragment`${sql.literalValue(String(number))}`

const nothing = sql.fragment`0`
const all = (wheres: readonly Fragment[]) => sql.fragment`${sql.join(wheres, sql.fragment` and `)}`
const sum = (scores: readonly Fragment[]) => sql.fragment`${sql.join(scores, sql.fragment` + `)}`

function termCondition(term: SearchTerm, meanings: ReadonlyMap<string, Meaning>): TermConditions {
  switch (term.kind) {
    case 'birth-date':
      return {
        where: sql.fragment`coalesce(date_of_birth, date ${sql.literalValue(noBirthDate.last)}) = ${term.date}::date`,
        score: nothing,
      }
    case 'phone': {
      // A number is often given with a leading zero that is dropped after a country code.
      const ways = [term.digits, term.digits.replace(/^0+/, ''), term.international ?? '']
      const digits = [...new Set(ways)].filter((each) => each.length >= 3)
      const matches = digits.map((each) => sql.fragment`phone_digits like ${`%${each}%`}`)
      return { where: sql.fragment`${sql.join(matches, sql.fragment` or `)}`, score: nothing }
    }
    case 'email':
      return { where: matchEmail(term.part), score: nothing }
    case 'name':
      return nameCondition(term.words, term.part, meanings)
  }
}

function nameCondition(
  words: readonly string[],
  part: EmailPart | null,
  meanings: ReadonlyMap<string, Meaning>,
): TermConditions {
  const each = words.map((word) => wordCondition(word, meanings.get(word) ?? { beginning: [], near: [], known: false }))
  const where = all(each.map((one) => one.where))
  const score = sum(each.map((one) => one.score))
  // When the practice has such a name, the user means the name: matches in e-mail addresses would be noise.
  const known = words.every((word) => meanings.get(word)?.known)
  if (!part || (known && words.length === 1)) return { where, score }
  return { where: sql.fragment`(${where}) or ${matchEmail(part)}`, score }
}

/**
 * Returns a condition with an unknown value twice. PostgreSQL expects it to match one row in 200; once more, and it keeps the plan of a
 * named statement, instead of planning every search for longer than it runs.
 */
const twice = (condition: Fragment) => sql.fragment`(${condition} and ${condition})`

const anyOf = (words: readonly string[]) => sql.fragment`words && ${sql.array(words, 'text')}`

function wordCondition(word: string, { beginning, near }: Meaning): TermConditions {
  const piece = `@${word}`
  const first = [...word][0] ?? ''
  const matches = anyOf([word, ...beginning, piece, ...near])
  const sameInitial = near.filter((other) => other.startsWith(first))
  return {
    where: twice(matches),
    score: sql.fragment`case when ${anyOf([word])} then 0 when ${anyOf(beginning)} then 1 when ${anyOf([piece])} then 2
      when ${anyOf(sameInitial)} then 3 when ${anyOf(near)} then 4 else 5 end`,
  }
}

function matchEmail({ text, pieces, indexed }: EmailPart): Fragment {
  const contains = sql.fragment`email_key like ${`%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`}`
  return indexed ? twice(contains) : sql.fragment`words @> ${sql.array(pieces, 'text')} and ${contains}`
}

const KnownRow = z.object({ typed: z.number(), word: z.string(), patients: z.number() })
type KnownWord = Pick<z.infer<typeof KnownRow>, 'word' | 'patients'>

/** Finds the words of a practice's names that begin with a typed word, in their order. */
const findKnownWords = groupQueries(
  async (db, typed: readonly { practiceId: string; word: string }[]): Promise<readonly KnownWord[][]> => {
    const rows = await db.any(
      prepared(sql.type(KnownRow)`
        select typed.place::int4 as typed, known.word, known.patients
        from unnest(
          ${listOf(
            typed.map(({ practiceId }) => practiceId),
            'uuid',
          )}, ${listOf(
            typed.map(({ word }) => word),
            'text',
          )}
        ) with ordinality as typed (practice_id, word, place) cross join lateral (
          select word, patients from read.patient_words
          where practice_id = typed.practice_id
            and word >= typed.word collate "C" and word < (typed.word || ${'\u{10FFFF}'}) collate "C"
          order by word limit ${literal(maxPrefixMatches)}
        ) as known`),
    )
    const byPlace = Map.groupBy(rows, (row) => row.typed)
    return typed.map((_, index) => byPlace.get(index + 1) ?? [])
  },
)

async function findMeanings(
  db: CommonQueryMethods,
  practiceId: string,
  words: readonly string[],
): Promise<Map<string, Meaning>> {
  const known = await Promise.all(words.map((word) => findKnownWords(db, { practiceId, word })))
  const prefixedByWord = new Map(words.map((word, index) => [word, known[index] ?? []]))
  const findByPrefix = (word: string) => prefixedByWord.get(word) ?? []
  const uncertain = words.filter((word) => {
    const prefixed = findByPrefix(word)
    const patients = prefixed.reduce((sum, each) => sum + each.patients, 0)
    return maxTypingErrors(word) > 0 && patients < rareWordLimit && !prefixed.some((each) => each.word === word)
  })
  const neighbors = await findNeighbors(db, practiceId, uncertain)
  return new Map(
    words.map((word) => {
      const prefixed = findByPrefix(word).map((each) => each.word)
      const short = [...word].length <= maxPrefixLength
      const candidates = (neighbors.get(word) ?? []).filter((other) => !prefixed.includes(other))
      return [
        word,
        {
          beginning: short ? listPrefixes(word).slice(-1) : prefixed.filter((other) => other !== word),
          near: nearest(word, candidates, prefixed.length > 0 ? 1 : undefined),
          known: prefixed.length > 0,
        },
      ]
    }),
  )
}

/**
 * Returns known words that resemble a typed word: the nearest by trigrams with the same first letter, those with
 * another or a missing first letter, and those that undo one typing error.
 */
async function findNeighbors(
  db: CommonQueryMethods,
  practiceId: string,
  words: readonly string[],
): Promise<Map<string, string[]>> {
  const found = await Promise.all(
    words.map((word) => {
      const [initial = '', ...letters] = word
      const rest = letters.join('')
      return db.anyFirst(
        prepared(sql.type(WordRow)`
        (select word from read.patient_words where practice_id = ${practiceId} and initial = ${initial}
         order by word <-> ${word} limit ${literal(maxNeighbors)})
        union
        (select word from read.patient_words
         where practice_id = ${practiceId} and rest = any(${sql.array([rest, word], 'text')}) limit ${literal(maxNeighbors)})
        union
        select word from read.patient_words
        where practice_id = ${practiceId} and word = any(${sql.array(typoVariants(word), 'text')})`),
      )
    }),
  )
  return new Map(words.map((word, index) => [word, [...(found[index] ?? [])]]))
}
