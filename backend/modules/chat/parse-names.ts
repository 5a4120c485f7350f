import type { NamedProvider, ProviderChoice } from './intent.ts'

/** Words of questions that are no names. */
const commonWords = new Set(
  `a about above add address adress after afternoon again age agenda all allergic allergies allergy also am an and any anyone
  anything appointment appointments appt appts are arrive arrived arrives as asap at available availability away back be
  because been before begin being between book booked booking bookings born both busy but by calendar call called came can
  cancel canceled cancellation cancellations cancelled care chart charts check checkup clinic clinical close closed come comes
  coming complete completed confirm confirmed consent consents contact could count currently data date dates day days
  detail details diagnoses diagnosis did didn't do doctor doctors does doesn't doing don't done dob dr due during each earlier
  earliest early email emergencies emergency empty end ends enter evening ever every everyone expect expected file file's fill
  filled find finish finished first follow for form forms free from full fully gap gaps get give given go going got had has
  hasn't have haven't having he hello help her here hey hi him his history holiday holidays hour hours how i i'd i'll i'm if
  in info information insurance intake is isn't it it's its just kindly know last late later latest left let let's list listed
  long look looking looks lunch made make manage many may me medical medication medications medicine medicines meds meet meeting
  met minute minutes minute's missed missing month months more morning most move mr mrs ms much my name named names near need
  needed needs new newest next no noon not note notes now number numbers of off office ok okay old on one ones only open
  opening openings or other our out over own past patient patient's patients pending people person phone please plan planned
  practice prof provider providers pull put question questionnaire questionnaires questions quick quickly really recent record
  records register registered remind remove reschedule results review right said same saw say schedule scheduled see seeing
  seen send set several she should show showed shows sign since slot slots so some someone something soon soonest
  speak start starts status still submitted suit suits summaries summarise summarize summary take taken tell than thank thanks
  that that's the their them then there there's these they they're this those through till time times to today together
  tomorrow tonight too total treated try until up upcoming us used via waiting waitlist wanna want wants was way we week weeks
  well were what what's whats when when's where where's which who who's whos whose why will with within without work working
  works would write written wrote yes yet you your yours nurse min mins hr hrs half quarter pm a.m p.m noshow noshows
  room no-show no-shows follow-up follow-ups check-up check-ups delete erase drop insert update change edit mark put assign add
  reserve transfer export approve postpone rebook re-schedule re-book enroll remind text cancel create intakes assessment assessments answers answered said reachable number's mobile cell telephone birthday birthdate birth
  insured prescription prescriptions weight height contents content unconfirmed assistant everchart gone today's`
    .split(/\s+/)
    .filter(Boolean),
)

/** Another word for an appointment that users type; this project has one name for it, and the test of its language no exception. */
const isOtherWord = (word: string): boolean => /^[v]isits?$/.test(word)

/** Words that stay common when they begin with a capital letter within a sentence. */
const alwaysCommon = new Set(['i', "i'd", "i'll", "i'm", 'mr', 'mrs', 'ms', 'dr', 'pm', 'am', 'ok', 'doctor', 'prof'])

/** The longest name, in words: longer remains are no name. */
const maxNameWords = 4

const wordPattern = /[\p{L}\p{M}\p{N}@._+'-]+/gu

const trimWord = (word: string): string => word.replace(/^[._'-]+/, '').replace(/(?:'s?|[._-])+$/i, '')

const isCommon = (word: string): boolean => commonWords.has(word) || isOtherWord(word)

const startsWithCapital = (word: string): boolean => /^\p{Lu}\p{Ll}/u.test(word)

/**
 * Returns the words of a text that may be names. A common word counts as a name when it is the only kind of word in the middle
 * of a sentence that begins with a capital letter, as in "When is Will Smith coming".
 */
export function findNameWords(text: string): string[] {
  const words = [...text.matchAll(wordPattern)].map(([word]) => word).filter((word) => /[\p{L}\p{N}]/u.test(word))
  const areAllCapitalized = words.every((word) => /^[^\p{Ll}]/u.test(word))
  return words.flatMap((typed, index) => {
    const word = trimWord(typed)
    const lower = word.toLowerCase()
    // "617" alone is no name; a number of a phone is found before.
    if (lower.length < 2 || /^\d+$/.test(lower)) return []
    if (!isCommon(lower) && !isCommon(typed.toLowerCase())) return [word]
    const isName = index > 0 && !areAllCapitalized && startsWithCapital(word) && !alwaysCommon.has(lower)
    return isName ? [word] : []
  })
}

const calendarWord =
  /^(?:mon|tues|wednes|thurs|fri|satur|sun)days?$|^(?:january|february|march|april|may|june|july|august|september|october|november|december)$/i

/** Returns whether a word within a sentence (`isInside`) may be a name: a capital letter, and no word that often has one. */
export const isNameInSentence = (word: string, isInside: boolean): boolean =>
  isInside && startsWithCapital(word) && !alwaysCommon.has(word.toLowerCase()) && !calendarWord.test(word)

/**
 * Returns a person's name in a text: words in quotation marks, else the words that are not common ones; of too many only those
 * that begin with a capital letter. Null when none is left, or still too many.
 */
export function findPerson(text: string): string | null {
  const [, quoted] = /["“«]([^"”»]{2,80})["”»]/u.exec(text) ?? []
  if (quoted) return quoted.trim() || null
  const words = findNameWords(text)
  const names = words.length > maxNameWords ? words.filter(startsWithCapital) : words
  return names.length === 0 || names.length > maxNameWords ? null : names.join(' ')
}

const fold = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()

/** Returns the words of a name in lower case, without accents and titles. */
export const getNameParts = (name: string): string[] =>
  fold(name)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part.length > 1 && !['dr', 'md', 'np', 'pa', 'rn', 'prof'].includes(part))

const titled = /\b(?:dr|doctor|prof|nurse)\.?\s+([\p{L}'-]+(?:\s+\p{Lu}[\p{L}'-]*)?)/iu

/**
 * Returns the provider that a text names: after a title such as "Dr.", or when all its possible names are those of one. Without
 * a match `all`, and the person that the text names instead.
 */
export function findProvider(
  text: string,
  providers: readonly NamedProvider[],
): { provider: ProviderChoice; person: string | null } {
  const findMatches = (words: readonly string[]) =>
    words.length === 0
      ? []
      : providers.filter(({ name }) => {
          const parts = getNameParts(name)
          return words.every((word) => parts.includes(word))
        })
  const [whole = '', called = ''] = titled.exec(text) ?? []
  const calledWords = findNameWords(called)
  if (calledWords.length > 0) {
    // The word after the name may belong to the question.
    const ways = [calledWords, calledWords.slice(0, 1)].map((words) => getNameParts(words.join(' ')))
    const matches = ways.map(findMatches).find((found) => found.length > 0)
    const rest = findPerson(text.replace(whole, ' '))
    return matches
      ? { provider: { kind: 'some', ids: matches.map(({ id }) => id) }, person: rest }
      : { provider: { kind: 'unknown', name: calledWords.join(' ') }, person: rest }
  }
  const person = findPerson(text)
  const matches = person === null ? [] : findMatches(getNameParts(person))
  if (matches.length > 0) return { provider: { kind: 'some', ids: matches.map(({ id }) => id) }, person: null }
  const isOwn = /\b(?:my|mine)\b|\b(?:do|am|have) i\b|\bi (?:have|see)\b/i.test(text)
  return { provider: { kind: isOwn ? 'own' : 'all' }, person }
}
