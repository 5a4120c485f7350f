import { defaultDuration, maxDuration } from '#contracts/values/appointments.ts'
import { addDays } from '#contracts/values/calendar.ts'
import { normalizeDates, parseDate } from '../kit/search-text.ts'
import type { ChangeKind, Figure, Intent, NamedProvider, ProviderChoice, ScheduleFilter, TimeOfDay } from './intent.ts'
import { findNameWords, findPerson, findProvider } from './parse-names.ts'
import { type Period, parsePeriod } from './parse-period.ts'

/** The knowledge that a question is understood with: the practice's local date, YYYY-MM-DD, and its providers. */
export type QuestionContext = { today: string; providers: readonly NamedProvider[] }

/** The part of a question that is read, in characters: longer ones are no questions of a front desk. */
const maxReadLength = 500
/** The longest text of which a possible name alone is looked up, in words. */
const maxGuessWords = 8

/** A question in the forms that the rules read. */
type Question = {
  /** The question without its dates, as typed. */
  rest: string
  /** The same in lower case. */
  text: string
  period: Period | null
  today: string
  /** The provider that it names, and the person if that is another one. */
  provider: ProviderChoice
  /** The provider's name counts as a person's here: most questions about a person are about a patient. */
  person: string | null
  /** True when it has more words that are not common ones than a name has: it may be about anything. */
  isVague: boolean
}

const normalize = (message: string): string =>
  message
    .slice(0, maxReadLength)
    .normalize('NFKC')
    .replaceAll(/[‘’ʼ`´]/g, "'")
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(/[?!¿¡…]+/gu, ' ')
    .replaceAll(/[.,;:]+(?=\s|$)/g, (mark) => (mark.startsWith('.') ? '.' : ' '))
    .trim()

/**
 * Parses a question of a front desk by rules, without knowing any patient. The first rule that matches decides, so the order
 * of the rules goes from special to general.
 */
export function parseIntent(message: string, context: QuestionContext): Intent {
  const normal = normalize(message)
  const identity = findIdentity(normal)
  if (identity !== null) return { kind: 'find-patient', search: identity, isGuess: false }
  const { period, rest } = parsePeriod(normal, context.today)
  const { provider, person } = findProvider(rest, context.providers)
  const question: Question = {
    rest,
    text: rest.toLowerCase().replaceAll(/\s+/g, ' ').trim(),
    period,
    today: context.today,
    provider,
    person: person ?? (provider.kind === 'some' ? findPerson(rest) : null),
    isVague: provider.kind === 'all' && person === null && findNameWords(rest).length > 0,
  }
  for (const rule of rules) {
    const intent = rule(question)
    if (intent) return intent
  }
  return { kind: 'unknown' }
}

/** Returns the search for a patient by birth date, phone number or e-mail address in a text; null when it has none. */
function findIdentity(text: string): string | null {
  const email = /[^\s@]+@[^\s@]+\.[^\s@.]{2,}/u.exec(text)?.[0]
  if (email) return email
  const dates = normalizeDates(text)
    .split(/[\s,]+/)
    .flatMap((token) => parseDate(token.replace(/\.$/, '')) ?? [])
  const [born] = /\b(?:born|birth|birthday|birthdate|dob)\b/i.test(text) ? dates : dates.filter((date) => date < '2000')
  if (born) {
    const names = findNameWords(normalizeDates(text)).filter((word) => !/\d/.test(word))
    return [...names.slice(0, 4), born].join(' ')
  }
  const [phone] = /(?<![\p{L}\p{N}])\+?\(?\d[\d\s().-]{5,}\d/u.exec(text) ?? []
  return phone && phone.replaceAll(/\D/g, '').length >= 7 && !/\d{4}-\d\d-\d\d/.test(phone) ? phone.trim() : null
}

type Rule = (question: Question) => Intent | null

const today = ({ today: date }: Question): Period => ({ from: date, until: date })

/** Words before the verb of a request. */
const polite = String.raw`(?:please|can|could|would|will|you|i|i'd|we|want|need|like|to|let's|let|us|help|me|just|now|and|then|kindly|go|ahead)`
const changeVerbs = String.raw`(?:re-?book|book|re-?schedule|move|postpone|cancel|delete|remove|erase|add|create|register|enroll?|send|remind|call|text|update|change|edit|write|set|mark|make|drop|insert|put|assign|check in|confirm|reserve|transfer|export|email|approve)`
const changePattern = new RegExp(`^(?:${polite} )*(${changeVerbs})\\b`)
const schedulePattern = new RegExp(String.raw`^(?:${polite} )*schedule (?:an?|another|the next|her|him|them|new)\b`)

const isSmallTalk: Rule = ({ text }) => {
  if (
    /^(?:hi|hello|hey|good (?:morning|afternoon|evening|day)|greetings)(?: (?:there|assistant|everchart|all))?\.?$/.test(
      text,
    )
  )
    return { kind: 'greeting' }
  if (
    /^(?:many )?(?:thanks|thank you|thx|great|perfect|ok|okay|cool|bye)(?: (?:a lot|so much|very much|you|thanks|bye))*\.?$/.test(
      text,
    )
  )
    return { kind: 'thanks' }
  const asksForHelp =
    /^(?:help|help me|menu|commands|\/help)\.?$/.test(text) ||
    /\bwhat (?:all )?(?:can|do|could|should) (?:you|i) (?:do|ask|help|answer|know|say)\b/.test(text) ||
    /\b(?:who|what) are you\b|\bhow (?:do|does|can) (?:you|this|i use you) work\b|\bhow can you help\b/.test(text)
  return asksForHelp ? { kind: 'help' } : null
}

const asksForChange: Rule = (question) => {
  const { text, person, period } = question
  const [, verb] = changePattern.exec(text) ?? []
  const isScheduling =
    schedulePattern.test(text) || (person !== null && new RegExp(`^(?:${polite} )*schedule\\b`).test(text))
  if (verb === undefined && !isScheduling) return null
  const change = findChange(verb ?? 'schedule', text)
  return { kind: 'change', change, person: change === 'add-patient' ? null : person, period }
}

function findChange(verb: string, text: string): ChangeKind {
  if (/wait(?:ing)?[ -]?list/.test(text)) return 'other'
  if (/\bpatients?\b/.test(text) && /^(?:add|create|register|enroll?|insert)$/.test(verb)) return 'add-patient'
  if (/\b(?:forms?|intake|questionnaire|consent|assessment)\b/.test(text)) return 'create-form'
  if (/^(?:re-?schedule|move|postpone|change)$/.test(verb)) return 'move'
  if (/^cancel$/.test(verb)) return 'cancel'
  const isBooking =
    /^(?:re-?book|book|schedule|reserve)$/.test(verb) || /\b(?:appointment|appt|[v]isit|slot)\b/.test(text)
  return isBooking && !/^(?:delete|remove|erase|drop|export|email|call|text|remind|confirm|mark)$/.test(verb)
    ? 'book'
    : 'other'
}

const asksAboutForms: Rule = ({ text, person }) => {
  if (!/\b(?:forms?|intakes?|questionnaires?|consents?|assessments?)\b/.test(text)) return null
  return person === null ? { kind: 'forms-waiting' } : { kind: 'last-form', person }
}

const asksForRevenue: Rule = ({ text, period }) =>
  /\b(?:revenue|income|earnings|earned?|money|turnover|takings|billed|sales)\b|\bhow much (?:did|have|do|are) we (?:made?|make|making|take|bill|earn)/.test(
    text,
  )
    ? { kind: 'figure', figure: 'revenue', period }
    : null

const asksForWaitlist: Rule = ({ text }) =>
  /\bwait(?:ing)?[ -]?list\b|\bwaiting for an? (?:earlier|slot|appointment|opening)|\bwants? (?:an )?earlier\b/.test(
    text,
  )
    ? { kind: 'waitlist' }
    : null

const isCounting = (text: string) => /\b(?:how many|how much|number of|count|total)\b/.test(text)

/** Patterns of the appointments in one state; `days` before today are shown without a period. */
const states: readonly { pattern: RegExp; filter: ScheduleFilter; figure: Figure | null; days: number }[] = [
  {
    pattern: /\bno[ -]?shows?\b|\bmissed\b|\b(?:didn't|did not|failed to|never) (?:come|show|turn up|appear)/,
    filter: 'no-show',
    figure: 'no-shows',
    days: -29,
  },
  {
    pattern:
      /\bun-?confirmed\b|\bnot (?:yet )?(?:been )?confirmed\b|\b(?:hasn't|haven't|didn't|has not|have not|did not|isn't|aren't) (?:yet )?confirm(?:ed)?\b|\b(?:yet|still|left|needs?|have|has) to (?:be )?confirm(?:ed)?\b|\bwithout (?:a )?confirmation\b|\bto confirm\b|\bconfirmations? (?:are )?(?:missing|outstanding|pending)|\bshould i call\b/,
    filter: 'unconfirmed',
    figure: null,
    days: 1,
  },
  { pattern: /\bconfirmed\b/, filter: 'confirmed', figure: null, days: 0 },
  { pattern: /\bcancel(?:l?ed|l?ations?)\b/, filter: 'cancelled', figure: 'cancelled', days: 0 },
  {
    pattern:
      /\bwaiting room\b|\b(?:who|anyone|who's|patients?) (?:is |are )?(?:here|waiting|arrived)\b|\bchecked in\b|\bhas arrived\b/,
    filter: 'waiting',
    figure: null,
    days: 0,
  },
  { pattern: /\b(?:completed|finished|treated|done)\b/, filter: 'completed', figure: 'completed', days: 0 },
  { pattern: /\b(?:emergenc(?:y|ies)|urgent)\b/, filter: 'emergency', figure: null, days: 0 },
]

const asksForState: Rule = (question) => {
  const { text, period, person, provider, today: date } = question
  const state = states.find(({ pattern }) => pattern.test(text))
  if (!state) return null
  const { filter, figure, days } = state
  if (provider.kind === 'all' && person !== null)
    return {
      kind: 'patient-appointments',
      person,
      which: filter === 'no-show' ? 'missed' : filter === 'completed' ? 'last' : 'next',
    }
  if (figure !== null && isCounting(text)) return { kind: 'figure', figure, period }
  const first = addDays(date, Math.min(0, days))
  const last = addDays(date, Math.max(0, days))
  // Tomorrow alone for what is confirmed by phone, the days up to today for what was missed.
  const usual = days > 0 ? { from: last, until: last } : { from: first, until: last }
  return { kind: 'schedule', period: period ?? usual, filter, provider }
}

const asksForWorkingHours: Rule = ({ text, period, provider }) =>
  /\b(?:opening|working|office|business|practice|clinic) (?:hours|times)\b|\bhours\b.*\b(?:practice|clinic|office|we)\b|\bwhat are (?:our|the|your) hours\b|\b(?:are|is|when are) (?:we|the (?:practice|clinic|office)|it) (?:open|closed)\b|\b(?:when|what time) (?:do|does|are|is) (?:we|the (?:practice|clinic|office)) (?:open|close|start|finish)|\bholidays?\b|\bclosed\b|\b(?:day|days|time) off\b|\b(?:is|are) .*\b(?:off|working|in the office|away|on vacation|on leave)\b|\bwho(?:'s| is)? (?:working|works|off|on duty|away)\b|\bdoes .* work\b/.test(
    text,
  )
    ? { kind: 'working-hours', period, provider }
    : null

const asksForFreeSlots: Rule = ({ text, period, provider }) =>
  /\b(?:free|available|availability|vacan(?:t|cy|cies)|openings?|open (?:slots?|times?|appointments?|spots?)|slots?|spots?|gaps?|earliest|soonest|squeeze|fit (?:in|him|her|them|me|a|an|one|someone))\b|\bwhen can (?:.* )?(?:come|see|be seen|get in)\b|\b(?:any|some|have) (?:time|room)\b/.test(
    text,
  )
    ? { kind: 'free-slots', period, durationMinutes: findDuration(text), time: findTimeOfDay(text), provider }
    : null

/** Returns the duration that a text names, in minutes. */
function findDuration(text: string): number {
  const [, minutes] = /\b(\d{1,3}) ?-? ?(?:min(?:ute)?s?|m)\b/.exec(text) ?? []
  const [, hours] = /\b(\d) ?(?:-? ?hours?|hrs?|h)\b/.exec(text) ?? []
  const named = minutes
    ? Number(minutes)
    : /\bhour and a half\b/.test(text)
      ? 90
      : /\bhalf (?:an )?hour\b|\bhalf-hour\b/.test(text)
        ? 30
        : /\bquarter (?:of an )?hour\b/.test(text)
          ? 15
          : hours
            ? Number(hours) * 60
            : /\b(?:an|one)[ -]hour\b/.test(text)
              ? 60
              : defaultDuration
  return Math.min(maxDuration, Math.max(5, named))
}

/** Returns the times between which a text asks for something: the morning, the afternoon, "after 3 pm", "before 11". */
function findTimeOfDay(text: string): TimeOfDay {
  const after = findTime(/\b(?:after|from|past) (\d{1,2})(?::(\d\d))? ?(am|pm)?(?! ?\w)/.exec(text))
  const before = findTime(/\b(?:before|until|by) (\d{1,2})(?::(\d\d))? ?(am|pm)?(?! ?\w)/.exec(text))
  const at = findTime(/\bat (\d{1,2})(?::(\d\d))? ?(am|pm)?(?! ?\w)/.exec(text))
  if (after !== null || before !== null || at !== null) return { from: after ?? at, until: before }
  if (/\bmornings?\b/.test(text)) return { from: null, until: '12:00' }
  if (/\bafternoons?\b/.test(text)) return { from: '12:00', until: null }
  if (/\bevenings?\b/.test(text)) return { from: '17:00', until: null }
  return { from: null, until: null }
}

/** Returns a time as HH:mm; without am or pm one to six o'clock is in the afternoon, as in a practice. */
function findTime(match: RegExpExecArray | null): string | null {
  if (!match) return null
  const [, hourText, minutes = '00', half] = match
  const hour = Number(hourText)
  const isAfternoon = half === 'pm' ? hour < 12 : half === undefined && hour >= 1 && hour <= 6
  const hours = isAfternoon ? hour + 12 : half === 'am' && hour === 12 ? 0 : hour
  return hours < 24 && Number(minutes) < 60 ? `${String(hours).padStart(2, '0')}:${minutes}` : null
}

const asksForNext: Rule = ({ text, person, provider }) => {
  const asks =
    /\b(?:who|what)(?:'s| is| are)? (?:up |on )?next\b|\bnext (?:patient|one|person|appointment|up|in line)\b|\bwho (?:comes|do i see|do we see) next\b|^next$/.test(
      text,
    )
  if (!asks) return null
  if (provider.kind === 'all' && person !== null) return { kind: 'patient-appointments', person, which: 'next' }
  return { kind: 'next-patient', provider }
}

const asksForProviders: Rule = ({ text, provider, period }) =>
  provider.kind === 'all' &&
  period === null &&
  /\b(?:providers?|doctors|physicians?|clinicians?|practitioners?)\b|\bwho works here\b|\bwhich doctor\b/.test(text) &&
  !/\b(?:schedule|appointments?)\b/.test(text)
    ? { kind: 'providers' }
    : null

const asksForFigure: Rule = ({ text, period, person, provider }) => {
  if (!isCounting(text) || (person !== null && provider.kind === 'all')) return null
  const isAboutPatients = /\b(?:patients?|people)\b/.test(text)
  if (isAboutPatients && /\b(?:new|registered|joined|added|signed up)\b/.test(text))
    return { kind: 'figure', figure: 'new-patients', period }
  if (/\b(?:came|seen|see|saw|served|[v]isited|attended)\b/.test(text) && (isAboutPatients || period !== null))
    return { kind: 'figure', figure: 'completed', period }
  if (isAboutPatients && period === null && !/\b(?:coming|booked|scheduled|left|expect\w*)\b/.test(text))
    return { kind: 'figure', figure: 'patients', period: null }
  if (
    isAboutPatients ||
    period !== null ||
    /\b(?:appointments?|appts?|bookings?|[v]isits?|booked|scheduled)\b/.test(text)
  )
    return { kind: 'figure', figure: 'appointments', period }
  return null
}

/** Words of questions about the data of one patient, which their record shows. */
const aboutRecord =
  /\b(?:phone|number|mobile|cell|telephone|e-?mail|address|birthday|birthdate|birth|dob|old|age|insurance|insured|allerg\w*|medications?|medicines?|meds|history|diagnos\w*|notes?|charts?|records?|file|details|contact|prescriptions?|weight|height|find|search|look up|lookup|pull up|who is|who's|patient)\b/

const asksAboutPerson: Rule = ({ text, person, provider, period }) => {
  if (person === null || provider.kind === 'some' || provider.kind === 'unknown') return null
  if (
    /\b(?:last|latest|previous|recent)\b.*\b(?:appointments?|time|[v]isits?|seen|came|come|here|in)\b|\bwhen (?:was|did)\b|\blast (?:[v]isit|seen)\b/.test(
      text,
    )
  )
    return { kind: 'patient-appointments', person, which: 'last' }
  if (
    /\b(?:when|when's|next|coming|comes?|appointments?|appts?|booked|bookings?|scheduled?|[v]isits?|due|back|upcoming|what time)\b/.test(
      text,
    ) ||
    period
  )
    return { kind: 'patient-appointments', person, which: 'next' }
  return aboutRecord.test(text) ? { kind: 'find-patient', search: person, isGuess: false } : null
}

const asksForSchedule: Rule = (question) => {
  const { text, period, provider, person, isVague } = question
  if (provider.kind === 'all' && person !== null) return null
  const asksByName =
    /\b(?:schedules?|scheduled|appointments?|appts?|bookings?|booked|calendar|agenda|[v]isits?|busy|planned|on the books|line ?up|overview)\b/
  const asks =
    asksByName.test(text) ||
    /\bwho(?:'s| is| are| do| comes| will)\b|\bwhat(?:'s| is| are| do|s)\b|\b(?:my|the|our) day\b|\bday look|\bcoming\b/.test(
      text,
    )
  if (isVague && !asksByName.test(text)) return null
  return asks || period !== null || provider.kind !== 'all'
    ? { kind: 'schedule', period: period ?? today(question), filter: 'all', provider }
    : null
}

const mayNamePatient: Rule = ({ text, person, provider }) =>
  person !== null && provider.kind === 'all' && text.split(' ').length <= maxGuessWords
    ? { kind: 'find-patient', search: person, isGuess: true }
    : null

const rules: readonly Rule[] = [
  isSmallTalk,
  asksForChange,
  asksAboutForms,
  asksForRevenue,
  asksForWaitlist,
  asksForState,
  asksForWorkingHours,
  asksForNext,
  asksForFreeSlots,
  asksForProviders,
  asksForFigure,
  asksAboutPerson,
  asksForSchedule,
  mayNamePatient,
]
