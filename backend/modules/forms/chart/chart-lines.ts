import { getAnswer, isAnswered } from '#contracts/form-answers.ts'
import type { ChartLine } from '#contracts/form-chart.ts'
import type { Patient, PatientChange } from '#contracts/patients.ts'
import type { Answers, FormType } from '#contracts/values/forms.ts'

/** The part of a chart that is compared. */
export type ComparedChart = Pick<
  Patient,
  'phone' | 'phoneNational' | 'address' | 'allergies' | 'allergiesStatus' | 'medications'
>

/** A phone number as it is stored (E.164) and shown; null for a text that is none. */
export type ReadNumber = (typed: string) => { stored: string; national: string } | null

/** The forms that describe the whole patient; other forms are about one procedure, policy or questionnaire. */
const chartForms: readonly FormType[] = ['intake', 'medical-history']

/** Shown for a patient who has none. */
const noAllergies = 'No known allergies'
/** The longest entry of a list in the chart. */
const maxEntryLength = 100

/** Returns whether a text says that there is none: "none", "No.", "n/a", "nothing". */
const isNone = (text: string) => /^\W*(no|none|nil|nothing|n\/?a|nkda|no known( drug)? allergies)\W*$/i.test(text)

/** Splits a list that was written as a text: by lines, semicolons, commas outside of numbers, and a last "and". */
export function splitList(text: string): string[] {
  const parts = text
    .split(/[\n;]|,(?!\d)|\s+and\s+/iu)
    .map((part) => part.replace(/^[\s\-–•*]+|[\s.]+$/gu, ''))
    .filter((part) => part !== '' && !isNone(part) && part.length <= maxEntryLength)
  return parts.filter((part, index) => parts.findIndex((other) => isSame(other, part)) === index)
}

const fold = (text: string) => text.normalize('NFKC').toLowerCase().replaceAll(/\s+/gu, ' ').trim()
const isSame = (one: string, other: string) => fold(one) === fold(other)

const amount = /\b\d[\d.,]*\s*(?:mg|mcg|µg|g|ml|iu|units?|%)(?:\s*\/\s*(?:\d+\s*)?\w+)?/iu

/** Reads a medication as patients write it: "Metformin 500 mg twice a day" is a name, a dosage and a frequency. */
export function readMedication(text: string): { name: string; dosage: string | null; frequency: string | null } {
  const found = amount.exec(text)
  if (!found || found.index === 0) return { name: text, dosage: null, frequency: null }
  const clean = (part: string) => part.replace(/^[\s,:()-]+|[\s,:()-]+$/gu, '')
  const frequency = clean(text.slice(found.index + found[0].length))
  return { name: clean(text.slice(0, found.index)), dosage: found[0].trim(), frequency: frequency || null }
}

/** Returns whether a chart has an entry of a list, as a whole or, for a medication, by its name. */
const hasAllergy = ({ allergies = [] }: ComparedChart, value: string) => allergies.some((known) => isSame(known, value))
const hasMedication = ({ medications = [] }: ComparedChart, value: string) => {
  const { name } = readMedication(value)
  return medications.some((known) => isSame(known.name, name))
}

const textOf = (answers: Answers, id: string): string => {
  const answer = getAnswer(answers, id)
  return typeof answer === 'string' && isAnswered(answer) ? answer.trim() : ''
}

function findPhone(answers: Answers, chart: ComparedChart, readNumber: ReadNumber): ChartLine[] {
  const value = textOf(answers, 'phone')
  const read = value === '' ? null : readNumber(value)
  if (!read || read.stored === chart.phone) return []
  return [{ field: 'phone', value, questionId: 'phone', proposed: read.national, current: chart.phoneNational }]
}

function findAddress(answers: Answers, chart: ComparedChart): ChartLine[] {
  const value = textOf(answers, 'address')
  if (value === '' || isSame(value, chart.address ?? '')) return []
  return [{ field: 'address', value, questionId: 'address', proposed: value, current: chart.address }]
}

function findAllergies(answers: Answers, chart: ComparedChart): ChartLine[] {
  const text = textOf(answers, 'allergies')
  const hasAnswered = getAnswer(answers, 'has-allergies')
  const known = (chart.allergies ?? []).join(', ') || (chart.allergiesStatus === 'none-known' ? noAllergies : null)
  const saysNone = hasAnswered === false || (hasAnswered === undefined && text !== '' && isNone(text))
  // What a chart lists is not taken away by a form.
  if (saysNone)
    return chart.allergiesStatus === 'unknown'
      ? [{ field: 'allergies', value: '', questionId: 'allergies', proposed: noAllergies, current: null }]
      : []
  return splitList(text)
    .filter((value) => !hasAllergy(chart, value))
    .map((value) => ({ field: 'allergies', value, questionId: 'allergies', proposed: value, current: known }))
}

function findMedications(answers: Answers, chart: ComparedChart): ChartLine[] {
  const known = (chart.medications ?? []).map(({ name }) => name).join(', ') || null
  return splitList(textOf(answers, 'medicines'))
    .filter((value) => !hasMedication(chart, value))
    .map((value) => ({ field: 'medications', value, questionId: 'medicines', proposed: value, current: known }))
}

/** Returns the lines of a form that differ from a chart. Pure. */
export function findChartLines(
  formType: FormType,
  answers: Answers,
  chart: ComparedChart,
  readNumber: ReadNumber,
): ChartLine[] {
  if (!chartForms.includes(formType)) return []
  return [
    ...findMedications(answers, chart),
    ...findAllergies(answers, chart),
    ...findPhone(answers, chart, readNumber),
    ...findAddress(answers, chart),
  ]
}

/** Returns the change of the patient's record that takes a line over. */
export function toChange({ field, value }: Pick<ChartLine, 'field' | 'value'>, chart: ComparedChart): PatientChange {
  if (field === 'phone' || field === 'address') return { [field]: value }
  if (field === 'medications') return { medications: [...(chart.medications ?? []), readMedication(value)] }
  return value === '' ? { allergiesStatus: 'none-known' } : { allergies: [...(chart.allergies ?? []), value] }
}

/** Returns whether a chart has a line already, as after accepting it twice. */
export function hasLine(
  { field, value }: Pick<ChartLine, 'field' | 'value'>,
  chart: ComparedChart,
  readNumber: ReadNumber,
): boolean {
  if (field === 'phone') return chart.phone !== null && readNumber(value)?.stored === chart.phone
  if (field === 'address') return isSame(value, chart.address ?? '')
  if (field === 'medications') return hasMedication(chart, value)
  return value === '' ? chart.allergiesStatus === 'none-known' : hasAllergy(chart, value)
}
