import type { FormText } from './form-texts.ts'
import type { Evidence } from './rule.ts'

/** A phrase in a text, affirmed by the patient about the patient. */
export type Mention = Evidence & {
  /** The phrase as it is written. */
  phrase: string
  /** The sentence before and after the phrase. */
  before: string
  after: string
  /** True when the sentence is about an earlier time. */
  isPast: boolean
}

/** The sentence around a phrase. A full stop ends a sentence only before a space, so that "0.5 mg" is one. */
type Place = {
  phrase: string
  before: string
  after: string
  afterSentence: string
  sentence: string
  isAsked: boolean
}

const sentenceEnd = /[!?;\n]|\.(?=\s|$)/g

function locate(text: string, start: number, phrase: string): Place {
  const end = start + phrase.length
  const ends = [...text.matchAll(sentenceEnd)].map(({ index }) => index)
  const from = (ends.findLast((index) => index < start) ?? -1) + 1
  const until = ends.find((index) => index >= end) ?? text.length
  return {
    phrase,
    before: text.slice(from, start),
    after: text.slice(end, until),
    afterSentence: text.slice(until),
    sentence: text.slice(from, until),
    isAsked: text[until] === '?',
  }
}

const negation = /\b(?:no|nor|neither|without|not|never|cannot|den(?:y|ies|ied|ying)|negative for|free of)\b|n't\b/gi

/** The words at which the reach of a negation ends: "no fever but chest pain". */
const turn =
  /\b(?:but|however|although|though|except|besides|apart from|other than|because|due to|since|when|whenever|while|until|unless|still|now|then|instead|which|only)\b|[:(]/i

/** Words that, after "no", say nothing about what follows: "no idea why I have chest pain". */
const noOther =
  /^\s+(?:doubt|idea|wonder|matter|relief|change|improvement|reason|explanation|help|better|worse|less|one|way|time)\b/i

/** The words between "not" and what it negates: "have not had any", "am not allergic to". */
const carriers =
  /^(?:\s+(?:have|has|had|having|get|gets|got|getting|feel|felt|feeling|experienc(?:e|ed|ing)|suffer(?:ed|ing)?|from|notic(?:e|ed|ing)|see|seen|been|be|am|is|was|a|an|any|the|of|such|this|really|currently|recently|ever|yet|think|i|it|take|takes|taking|taken|use|using|used|need|on|allergic|to|about|know|aware|cough|coughed|coughing|up|report(?:ed)?|actually|at|moment))*\s*$/i
const startsWithCarrier =
  /^\s+(?:have|has|had|get|got|feel|felt|experienced?|suffer(?:ed)?|notic(?:e|ed)|take|use|been|any|allergic|seen)\b/i

/** A list that "or" closes is negated as a whole: "no fever, chest pain or fainting". */
const listGoesOn = /^(?:,\s*[\w']+(?:[ -][\w']+){0,3}){0,6},?\s+(?:or|nor)\b/i
const listEnds = /\b(?:or|nor)\s+(?:[\w']+\s+){0,3}$/i

/** The most words between a negation and what it negates. */
const maxReachWords = 10

function reaches(cue: string, earlier: string, between: string, after: string): boolean {
  if (turn.test(between) || /^\s*,/.test(between)) return false
  if (between.split(/\s+/).length > maxReachWords) return false
  if (/^den/i.test(cue)) return true
  if (/\band\b/i.test(between)) return false
  const isInList = listEnds.test(between) || listGoesOn.test(after)
  if (between.includes(',') && !isInList) return false
  if (/^(?:not|never|cannot|n't)$/i.test(cue))
    return carriers.test(between) || (isInList && (startsWithCarrier.test(between) || listEnds.test(between)))
  // "I cannot climb the stairs without chest pain".
  if (/^without$/i.test(cue)) return !/\b(?:not|never|cannot|hardly|barely|rarely)\b|n't\b/i.test(earlier)
  return !noOther.test(between)
}

/** "Chest pain: no", "Chest pain? None." */
const deniedAfter = /^\s*(?:[:=?–—-]|is|are)?\s*(?:no|none|never|denied|absent|negative)\s*(?:[.,;!\n)]|$)/i

const isNegated = ({ before, after, afterSentence }: Place): boolean =>
  deniedAfter.test(after + afterSentence) ||
  [...before.matchAll(negation)].some(({ 0: cue, index }) =>
    reaches(cue, before.slice(0, index), before.slice(index + cue.length), after),
  )

/** Children are left out: a parent fills in the form of a child. */
const relative =
  /(?:^|[,:(]|\b(?:and|but|because|since|as|when|that|where|after)\b)\s*(?:both )?(?:my|our|his|her|the|a)?\s*(?:late|older|elder|younger|little|big|twin|maternal|paternal|best)?\s*\b(?:mother|father|mom|mum|dad|parents?|brothers?|sisters?|siblings?|aunts?|uncles?|cousins?|grand(?:mother|father|ma|pa|parents?)|wife|husband|partner|spouse|girlfriend|boyfriend|friend|neighbou?r|colleague|coworker|boss)\b/gi
const familyBefore = /\bfamily history of\b|\bin (?:my|the|our) family\b|\b(?:mother|father)'s side\b/i
const familyAfter = /^\s*(?:also )?(?:runs? )?in (?:my|the|our) family\b/i

/** "My father fainted", but not "my father saw that I fainted" and not "my father died, chest pain since then". */
function isOnOtherPerson({ before, after }: Place): boolean {
  if (familyBefore.test(before) || familyAfter.test(after)) return true
  const last = [...before.matchAll(relative)].at(-1)
  if (!last) return false
  const between = before.slice(last.index + last[0].length)
  return (
    !/\b(?:i|i'm|i've|my|me)\b/i.test(between) &&
    !/,(?!\s*who)/.test(between) &&
    !/\bdied\b(?!\s+(?:by|from|of|after))/i.test(between)
  )
}

const modal = /\b(?:if|could|can|will|would|might|may|risk|chance|happens?)\b/i
const ownSymptom = /\b(?:my|this|the|these|i have|i had|i've had|i get)\s+(?:[\w']+\s+)?$/i
const risk = /\b(?:in case of|(?:risk|fear|chance) of|side effects? (?:like|such as|of))\s+(?:\w+\s+){0,2}$/i

/** "Could I faint afterwards?", but not "Could my chest pain come from stress?" */
const isHypothetical = ({ before, isAsked }: Place): boolean =>
  risk.test(before) || (isAsked && modal.test(before) && !ownSymptom.test(before))

const earlier =
  /\b(?:in|around|until) (?:19|20)\d\d\b|\((?:19|20)\d\d\)|\b(?:years?|decades?) ago\b|\bas a (?:child|kid|teenager|young)|\bused to\b|\bin the past\b|\bhistory of\b|\bwhen i was (?:a |\d|young|little)/i
const goesOn =
  /\b(?:since|still|again|now|today|tonight|yesterday|every|daily|always|this (?:week|morning)|last (?:week|night)|start\w*|began|keeps?)\b/i

const maxQuoteLength = 200
const quoteContext = 60

/** Quotes the sentence, or of a long one the words around the phrase. Cut only at spaces, so that no character is halved. */
function quoteAround({ sentence, before, phrase, after }: Place): string {
  if (sentence.length <= maxQuoteLength) return sentence.trim()
  const cutBefore = before.length > quoteContext ? before.slice(-quoteContext).replace(/^\S*\s*/, '') : before
  const cutAfter = after.length > quoteContext ? after.slice(0, quoteContext).replace(/\s*\S*$/, '') : after
  return (cutBefore + phrase + cutAfter).trim()
}

/** Typographic apostrophes are replaced one by one: places in the text stay the same. */
const withPlainApostrophes = (text: string) => text.replaceAll('’', "'")

/**
 * Finds phrases that are affirmed of the patient: those that are denied, asked about as a possibility, or said of another
 * person are left out. In doubt a phrase counts: a needless finding costs a look, a missed one may cost more.
 */
export function findMentions({ questionId, topic, text }: FormText, phrases: RegExp): Mention[] {
  const plain = withPlainApostrophes(text)
  return [...plain.matchAll(phrases)]
    .map(({ 0: phrase, index }) => ({ index, place: locate(plain, index, phrase) }))
    .filter(({ place }) => !isNegated(place) && !isOnOtherPerson(place) && !isHypothetical(place))
    .map(({ index, place }) => ({
      questionId,
      quote: quoteAround(locate(text, index, text.slice(index, index + place.phrase.length))),
      phrase: place.phrase,
      before: place.before,
      after: place.after,
      isPast: (topic === 'history' || earlier.test(place.sentence)) && !goesOn.test(place.sentence),
    }))
}

/** Quotes the first words of a text. */
export function quoteStart({ questionId, text }: Pick<FormText, 'questionId' | 'text'>): Evidence {
  const characters = [...text.trim()]
  return { questionId, quote: characters.slice(0, maxQuoteLength).join('').trim() }
}

export const toEvidence = ({ questionId, quote }: Evidence): Evidence => ({ questionId, quote })

/** "None", "no, never", "not that I know of": an answer that denies what is asked. */
export const isDenial = (text: string): boolean =>
  /^\W*(?:no|none|nope|never|nothing|nil|n\/?a|not)\b/i.test(text) &&
  !/\b(?:but|except|only|just|apart|though|however|yes)\b/i.test(text)
