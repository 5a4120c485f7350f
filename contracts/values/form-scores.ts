import type { Answers, FormScore } from './forms.ts'

type Instrument = {
  name: FormScore['instrument']
  /** The ids of the items are this, a hyphen and their number. */
  prefix: string
  items: number
  /** The lowest total of each band, in ascending order. */
  bands: readonly (readonly [from: number, band: string])[]
}

/** PHQ-9: Kroenke, Spitzer, Williams 2001 (J Gen Intern Med 16:606). GAD-7: Spitzer et al. 2006 (Arch Intern Med 166:1092). */
const instruments: readonly Instrument[] = [
  {
    name: 'PHQ-9',
    prefix: 'phq9',
    items: 9,
    bands: [
      [0, 'Minimal'],
      [5, 'Mild'],
      [10, 'Moderate'],
      [15, 'Moderately severe'],
      [20, 'Severe'],
    ],
  },
  {
    name: 'GAD-7',
    prefix: 'gad7',
    items: 7,
    bands: [
      [0, 'Minimal'],
      [5, 'Mild'],
      [10, 'Moderate'],
      [15, 'Severe'],
    ],
  },
]

/** The highest answer to an item. */
const maxPoints = 3

const isPoints = (answer: unknown): answer is number =>
  typeof answer === 'number' && Number.isInteger(answer) && answer >= 0 && answer <= maxPoints

const itemIdsOf = ({ prefix, items }: Instrument) =>
  Array.from({ length: items }, (_, index) => `${prefix}-${index + 1}`)

/** Returns the ids of the items that count, in their order. The question about difficulty is not among them. */
export const listItemIds = (name: FormScore['instrument']): string[] =>
  instruments.filter((instrument) => instrument.name === name).flatMap(itemIdsOf)

/** Returns the points of an item; undefined while it has no answer of 0 to 3, for which nothing is counted. */
export function getPoints(answers: Answers, id: string): number | undefined {
  const answer = Object.hasOwn(answers, id) ? answers[id] : undefined
  return isPoints(answer) ? answer : undefined
}

/** Returns the highest total that an instrument can have. */
export const getMaxTotal = ({ items }: Pick<FormScore, 'items'>): number => items * maxPoints

function score(instrument: Instrument, answers: Answers): FormScore {
  const points = itemIdsOf(instrument).flatMap((id) => getPoints(answers, id) ?? [])
  const { name, items, bands } = instrument
  const answered = points.length
  if (answered < items) return { instrument: name, answered, items, total: null, band: null }
  const total = points.reduce((sum, each) => sum + each, 0)
  const band = bands.findLast(([from]) => total >= from)?.[1] ?? null
  return { instrument: name, answered, items, total, band }
}

/** Computes the scores of the instruments of which at least one item is answered. With an item missing there is no total. */
export const scoreForm = (answers: Answers): FormScore[] =>
  instruments.map((instrument) => score(instrument, answers)).filter(({ answered }) => answered > 0)
