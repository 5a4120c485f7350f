import type { EligibilityOutcome } from '#contracts/values/eligibility.ts'

/** A person in the question, with the date of birth as YYYY-MM-DD; null where it is not known. */
type Person = { firstName: string; lastName: string; birthDate: string | null }

/** A question about one coverage on one date. Dates are YYYY-MM-DD. */
export type Inquiry = {
  /** Letters and digits, at most 50; the answer repeats it. */
  trace: string
  insurer: string
  practice: string
  policyNumber: string
  groupNumber: string | null
  member: Person
  /** The patient where another person is the member; null otherwise. */
  dependent: Person | null
  serviceDate: string
  /** The instant of the question, ISO in UTC. */
  at: string
}

/** The answer of an insurer. `code` is that of X12 behind the outcome; dates are YYYY-MM-DD, null where it names none. */
export type Answer = {
  outcome: EligibilityOutcome
  code: string | null
  startsOn: string | null
  endsOn: string | null
}

/** The basic character set of X12: capital letters without accents; separators become spaces. */
const toX12 = (text: string, maxLength: number) =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toUpperCase()
    .replaceAll(/[^A-Z0-9!"&'()+,\-./;?= ]/g, ' ')
    .replaceAll(/ +/g, ' ')
    .trim()
    .slice(0, maxLength)
    .trimEnd()

const toDate = (date: string) => date.replaceAll('-', '')

const person = (code: string, { firstName, lastName, birthDate }: Person, id: string[]): string[][] => [
  ['NM1', code, '1', toX12(lastName, 60), toX12(firstName, 35), '', '', '', ...id],
  ...(birthDate === null ? [] : [['DMG', 'D8', toDate(birthDate)]]),
]

/**
 * Writes a question about the coverage of a health plan (service type 30) as X12 270, version 005010X279A1. It contains names,
 * dates of birth, the policy's and the group's number, the date, and nothing else of the patient.
 */
export function writeInquiry(inquiry: Inquiry): string {
  const { trace, insurer, practice, policyNumber, groupNumber, member, dependent, serviceDate, at } = inquiry
  const [date, time] = [toDate(at.slice(0, 10)), at.slice(11, 16).replace(':', '')]
  const insurerName = toX12(insurer, 60)
  const question = [
    ['DTP', '291', 'D8', toDate(serviceDate)],
    ['EQ', '30'],
  ]
  const group = groupNumber === null ? [] : [['REF', '6P', toX12(groupNumber, 50)]]
  const content = [
    ['ST', '270', '0001', '005010X279A1'],
    ['BHT', '0022', '13', trace, date, time],
    ['HL', '1', '', '20', '1'],
    ['NM1', 'PR', '2', insurerName, '', '', '', '', 'PI', insurerName],
    ['HL', '2', '1', '21', '1'],
    ['NM1', '1P', '2', toX12(practice, 60)],
    ['HL', '3', '2', '22', dependent ? '1' : '0'],
    ['TRN', '1', trace, '9EVERCHART'],
    ...person('IL', member, ['MI', toX12(policyNumber, 80)]).toSpliced(1, 0, ...group),
    ...(dependent ? [['HL', '4', '3', '23', '0'], ...person('03', dependent, [])] : []),
    ...question,
  ]
  const segments = [
    [
      'ISA',
      '00',
      ' '.repeat(10),
      '00',
      ' '.repeat(10),
      'ZZ',
      'EVERCHART'.padEnd(15),
      'ZZ',
      'CLEARINGHOUSE'.padEnd(15),
    ].concat([date.slice(2), time, '^', '00501', '000000001', '0', 'P', ':']),
    ['GS', 'HS', 'EVERCHART', 'CLEARINGHOUSE', date, time, '1', 'X', '005010X279A1'],
    ...content,
    ['SE', String(content.length + 1), '0001'],
    ['GE', '1', '1'],
    ['IEA', '1', '000000001'],
  ]
  return segments.map((segment) => `${segment.join('*').replace(/\*+$/, '')}~`).join('')
}

/** The end of the first segment: its elements have fixed lengths, and the characters after it are the separators. */
const componentPlace = 104
const headerLength = 106

type Interchange = { segments: readonly (readonly string[])[]; repetition: string }

/** Splits an interchange by the separators that its header declares. Returns null for one that is damaged or cut off. */
function splitInterchange(text: string): Interchange | null {
  if (!text.startsWith('ISA') || text.length < headerLength) return null
  const [element = '', terminator = ''] = [text[3], text[componentPlace + 1]]
  const texts = text.split(terminator).map((segment) => segment.trim())
  const segments = texts.filter(Boolean).map((segment) => segment.split(element))
  const begin = segments.findIndex(([name, type]) => name === 'ST' && type === '271')
  const end = segments.findIndex(([name], place) => place > begin && name === 'SE')
  const [last, header] = [segments.at(-1), segments[0]]
  const hasEnd = texts.at(-1) === '' && last?.[0] === 'IEA' && last[2] === header?.[13]
  const isWhole = hasEnd && begin >= 0 && end > begin
  if (!isWhole || segments[end]?.[1] !== String(end - begin + 1)) return null
  return { segments: segments.slice(begin, end + 1), repetition: header?.[11] ?? '' }
}

/** The reasons of insurers to refuse a question (X12 external code source 901) that call for the same. */
const refusals: readonly (readonly [outcome: EligibilityOutcome, codes: readonly string[]])[] = [
  // The system does not respond now, or has no response yet.
  ['retry-later', ['42', '80']],
  // Number, name, date of birth or relationship of the member or patient.
  [
    'correct-data',
    ['57', '58', '62', '63', '64', '65', '66', '67', '68', '71', '72', '73', '74', '75', '76', '77', '78'],
  ],
  // The practice is not enrolled or not allowed to ask.
  ['enrolment', ['41', '43', '44', '45', '46', '47', '48', '49', '50', '51', '52', '79', '97']],
]

const activeCodes = ['1', '2', '3', '4', '5']
const inactiveCodes = ['6', '7', '8']

/** Reads a date or the two ends of a range. */
function readDates([, , format, value = '']: readonly string[]): [from: string | null, until: string | null] {
  const [from = '', until = ''] = format === 'RD8' ? value.split('-') : [value]
  const toIso = (text: string) => (/^\d{8}$/.test(text) ? text.replace(/(\d{4})(\d\d)(\d\d)/, '$1-$2-$3') : null)
  return [toIso(from), toIso(until)]
}

/** Finds the dates of the coverage: plan (291), begin and end of the plan (346, 347) and of the eligibility (307, 356, 357). */
function findDates(segments: Interchange['segments']): Pick<Answer, 'startsOn' | 'endsOn'> {
  const dates = { startsOn: null as string | null, endsOn: null as string | null }
  for (const segment of segments.filter(([name]) => name === 'DTP')) {
    const [, kind = ''] = segment
    const [from, until] = readDates(segment)
    if (['291', '307', '346', '356'].includes(kind)) dates.startsOn ??= from
    if (['291', '307'].includes(kind)) dates.endsOn ??= until
    if (['347', '357'].includes(kind)) dates.endsOn ??= from
  }
  return dates
}

/**
 * Reads the answer to a question from X12 271. Anything but a clear word of the insurer about the health plan is `no-answer`: also
 * garbage, a message that was cut off, and the answer to another question. `serviceDate` is YYYY-MM-DD.
 */
export function readAnswer(text: string, { trace, serviceDate }: Pick<Inquiry, 'trace' | 'serviceDate'>): Answer {
  const nothing = { startsOn: null, endsOn: null }
  const interchange = splitInterchange(text)
  if (!interchange) return { outcome: 'no-answer', code: 'unreadable', ...nothing }
  const { segments, repetition } = interchange
  const traces = segments.filter(([name, type]) => name === 'TRN' && type === '2').map(([, , id]) => id)
  if (traces.length > 0 && !traces.includes(trace)) return { outcome: 'no-answer', code: 'other-question', ...nothing }

  const refused = segments.filter(([name]) => name === 'AAA').map(([, , , code = '']) => code)
  for (const [outcome, codes] of refusals) {
    const code = refused.find((each) => codes.includes(each))
    if (code !== undefined) return { outcome, code: `AAA ${code}`, ...nothing }
  }
  if (refused.length > 0) return { outcome: 'no-answer', code: `AAA ${refused[0]}`, ...nothing }

  // Without service types the word is about the plan as a whole.
  const ofPlan = segments.filter(
    ([name, , , types = '']) => name === 'EB' && (types === '' || types.split(repetition || '^').includes('30')),
  )
  const find = (codes: readonly string[]) => ofPlan.find(([, code = '']) => codes.includes(code))?.[1]
  const dates = findDates(segments)
  const active = find(activeCodes)
  if (active !== undefined) {
    const isOutside =
      (dates.endsOn !== null && dates.endsOn < serviceDate) || (dates.startsOn !== null && dates.startsOn > serviceDate)
    return { outcome: isOutside ? 'not-covered' : 'active', code: `EB ${active}`, ...dates }
  }
  const inactive = find(inactiveCodes)
  if (inactive !== undefined) return { outcome: 'inactive', code: `EB ${inactive}`, ...dates }
  const excluded = find(['I'])
  if (excluded !== undefined) return { outcome: 'not-covered', code: 'EB I', ...dates }
  return { outcome: 'no-answer', code: null, ...nothing }
}
