import { differenceInYears } from 'date-fns/differenceInYears'
import { formatAnswer, getAnswer, isAnswered, isShown } from '#contracts/form-answers.ts'
import { listQuestions } from '#contracts/form-templates.ts'
import type { Question } from '#contracts/forms.ts'
import type { Patient } from '#contracts/patients.ts'
import type { FormToAnalyze } from '../rules/rule.ts'
import { removeIdentifiers } from './remove-identifiers.ts'

/** The fields of a chart that identify the patient. */
type KnownIdentity = Pick<Patient, 'firstName' | 'lastName' | 'dateOfBirth' | 'phone' | 'email' | 'address'>

/** Questions whose answers name a person, or say how they are reached, and nothing about health. */
const identifyingQuestions = new Set([
  'phone',
  'address',
  'emergency-contact-name',
  'emergency-contact-phone',
  'explained-by',
  'policy-number',
  'group-number',
  'member-name',
  'member-date-of-birth',
  'secondary-policy-number',
])

const isIdentifying = ({ id, type }: Question) => type === 'signature' || identifyingQuestions.has(id)

const isName = ({ id, type }: Question) => type === 'signature' || id.endsWith('-name') || id === 'explained-by'

const ageBands: readonly (readonly [from: number, label: string])[] = [
  [90, '90 or older'],
  [75, '75 to 89'],
  [65, '65 to 74'],
  [50, '50 to 64'],
  [40, '40 to 49'],
  [30, '30 to 39'],
  [18, '18 to 29'],
  [12, '12 to 17'],
  [2, '2 to 11'],
  [0, 'under 2'],
]

/** Returns the band of an age, never the age; "unknown" without a date of birth. Dates are YYYY-MM-DD. */
export function findAgeBand(dateOfBirth: string | null, today: string): string {
  if (dateOfBirth === null || dateOfBirth > today) return 'unknown'
  const years = differenceInYears(new Date(`${today}T00:00:00Z`), new Date(`${dateOfBirth}T00:00:00Z`))
  return ageBands.find(([from]) => years >= from)?.[1] ?? 'unknown'
}

/** Words of a name or an address that are long enough to identify. */
const listWords = (text: string | null | undefined): string[] =>
  (text ?? '').split(/[^\p{L}\p{N}'’]+/u).filter((word) => word.length > 1)

/** Words that are long enough to identify: a street, a house number, and not "on" or "the". */
const isDistinctive = (word: string) => word.length > 3 || /\d/.test(word)

/** Returns the words that name the patient, the patient's address, and the people whom the form names. */
function listNames({ firstName, lastName, address }: KnownIdentity, { template, answers }: FormToAnalyze): string[] {
  const identifying = listQuestions(template)
    .filter(isIdentifying)
    .flatMap((question) => {
      const answer = getAnswer(answers, question.id)
      return typeof answer === 'string' ? { isName: isName(question), words: listWords(answer) } : []
    })
  const names = identifying
    .filter((each) => each.isName)
    .flatMap(({ words }) => words.filter(({ length }) => length > 2))
  const places = [...listWords(address), ...identifying.flatMap(({ words }) => words)].filter(isDistinctive)
  return [...new Set([...listWords(firstName), ...listWords(lastName), ...names, ...places])]
}

/**
 * Returns a form as a model reads it, as JSON: the answers about health, each with its question, the lists of the chart, and the
 * band of the age. No name, address, number, date of birth or id of a person leaves, nor an answer that the template does not
 * ask for; free text is searched for them.
 */
export function describeForm(form: FormToAnalyze, patient: KnownIdentity, today: string): string {
  const { template, answers, chart } = form
  const names = listNames(patient, form)
  const clean = (text: string) => removeIdentifiers(text, names)
  const asked = listQuestions(template).filter((question) => isShown(question, answers) && !isIdentifying(question))
  return JSON.stringify({
    form: template.title,
    ageBand: findAgeBand(patient.dateOfBirth, today),
    chart: { allergies: chart.allergies.map(clean), medications: chart.medications.map(clean) },
    answers: asked
      .map((question) => ({ question, answer: getAnswer(answers, question.id) }))
      .filter(({ answer }) => isAnswered(answer))
      .map(({ question, answer }) => ({
        questionId: question.id,
        question: question.label,
        answer: question.type === 'date' ? 'given' : clean(formatAnswer(question, answer)),
      })),
    unanswered: asked
      .filter(({ id }) => !isAnswered(getAnswer(answers, id)))
      .map(({ id, label }) => ({ questionId: id, question: label })),
  })
}
