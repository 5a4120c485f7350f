import { z } from 'zod'
import { maxScore } from './satisfaction.ts'

/** The figures of a practice, in the order of the screen. */
export const FigureKey = z.enum([
  'patient-growth',
  'appointment-rate',
  'revenue-growth',
  'satisfaction',
  'utilization',
  'insurance-processing',
  'form-completion',
  'no-show-rate',
])
export type FigureKey = z.infer<typeof FigureKey>

/** Counts of a period. Minutes and cents are whole; `patientsAtStart` registered before the period. */
export type PeriodCounts = {
  scheduled: number
  due: number
  kept: number
  cancelled: number
  noShows: number
  bookedMinutes: number
  workingMinutes: number
  revenueCents: number
  paid: number
  newPatients: number
  patientsAtStart: number
  formsAssigned: number
  formsSubmitted: number
  verificationsRequested: number
  verificationsDecided: number
  answers: number
  /** The sum of the scores of all answers. */
  scores: number
}

/** The definition of a figure: the one place that says how it is computed. */
export type FigureDefinition = {
  label: string
  unit: 'percent' | 'change' | 'score'
  formula: string
  /** The records that the figure counts. */
  records: 'patients' | 'appointments' | 'forms' | 'verifications' | 'answers'
  /** Returns a percentage; null where there is nothing to divide by. `before` is the period before. */
  compute: (counts: PeriodCounts, before: PeriodCounts) => number | null
  /** The number of records behind it. */
  count: (counts: PeriodCounts) => number
}

/** Returns a share in percent with one decimal; null of nothing. */
const toPercent = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part / whole) * 1_000) / 10

/** The definitions of all figures. */
export const figureDefinitions: Readonly<Record<FigureKey, FigureDefinition>> = {
  'patient-growth': {
    label: 'Patient Growth',
    unit: 'change',
    formula: 'Patients registered in the period, divided by the patients at its start',
    records: 'patients',
    compute: ({ newPatients, patientsAtStart }) => toPercent(newPatients, patientsAtStart),
    count: ({ newPatients }) => newPatients,
  },
  'appointment-rate': {
    label: 'Appointment Rate',
    unit: 'percent',
    formula: 'Completed appointments, divided by the appointments whose time has come, cancelled ones included',
    records: 'appointments',
    compute: ({ kept, due }) => toPercent(kept, due),
    count: ({ due }) => due,
  },
  'revenue-growth': {
    label: 'Revenue Growth',
    unit: 'change',
    formula: 'Fees of the appointments completed in the period, compared with those of the period before',
    records: 'appointments',
    compute: ({ revenueCents }, before) => toPercent(revenueCents - before.revenueCents, before.revenueCents),
    count: ({ paid }) => paid,
  },
  satisfaction: {
    label: 'Patient Satisfaction',
    unit: 'score',
    formula: 'The mean of the answers of patients to the question how their appointment was, 1 to 5',
    records: 'answers',
    compute: ({ answers, scores }) => toPercent(scores, answers * maxScore),
    count: ({ answers }) => answers,
  },
  utilization: {
    label: 'Appointment Utilization',
    unit: 'percent',
    formula: 'Minutes of the appointments that were not cancelled, divided by the working minutes of all providers',
    records: 'appointments',
    compute: ({ bookedMinutes, workingMinutes }) => toPercent(bookedMinutes, workingMinutes),
    count: ({ scheduled, cancelled }) => scheduled - cancelled,
  },
  'insurance-processing': {
    label: 'Insurance Processing',
    unit: 'percent',
    formula: 'Verifications that a person verified or denied, divided by those requested in the period',
    records: 'verifications',
    compute: ({ verificationsDecided, verificationsRequested }) =>
      toPercent(verificationsDecided, verificationsRequested),
    count: ({ verificationsRequested }) => verificationsRequested,
  },
  'form-completion': {
    label: 'Form Completion Rate',
    unit: 'percent',
    formula: 'Forms that were submitted, divided by those assigned in the period',
    records: 'forms',
    compute: ({ formsSubmitted, formsAssigned }) => toPercent(formsSubmitted, formsAssigned),
    count: ({ formsAssigned }) => formsAssigned,
  },
  'no-show-rate': {
    label: 'No-show Rate',
    unit: 'percent',
    formula: 'Appointments whose patient did not come, divided by the appointments whose time has come',
    records: 'appointments',
    compute: ({ noShows, due }) => toPercent(noShows, due),
    count: ({ due }) => due,
  },
}

/** The figures whose mean is the overall score (spec page 2, section 2.7). */
export const scoredFigures = ['satisfaction', 'utilization', 'insurance-processing', 'form-completion'] as const

/** A figure with the number of records behind it. */
type CountedFigure = { key: FigureKey; value: number | null; count: number }

/**
 * Returns the overall score: the mean of the figures that have data, each out of 100; null without any. Of a period without a record,
 * free hours say nothing yet.
 */
export function computeScore(figures: readonly CountedFigure[]): number | null {
  const scored = figures.filter(({ key }) => scoredFigures.some((each) => each === key))
  if (scored.every(({ count }) => count === 0)) return null
  const known = scored.flatMap(({ value }) => (value === null ? [] : [Math.min(100, value)]))
  return known.length === 0 ? null : Math.round((known.reduce((sum, value) => sum + value, 0) / known.length) * 10) / 10
}

/** Returns the days of one point of a chart, so that a period has at most 31 points. */
export const findPointDays = (days: number): number =>
  [1, 7, 30, 91].find((each) => Math.ceil(days / each) <= 31) ?? Math.ceil(days / 31)
