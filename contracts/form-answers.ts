import { listQuestions } from './form-templates.ts'
import type { FormTemplate, Question } from './forms.ts'
import type { Problem } from './problem.ts'
import { CalendarDate } from './values/dates.ts'
import type { Answer, Answers } from './values/forms.ts'

/** An error at the answer to one question, as in `Problem`. */
type AnswerError = Problem['errors'][number]

/** The text of a question without an answer. */
export const notAnswered = 'Not answered'

/** Returns the answer to a question. `constructor` has none, although every object inherits a value of that name. */
export const getAnswer = (answers: Answers, questionId: string): Answer | undefined =>
  Object.hasOwn(answers, questionId) ? answers[questionId] : undefined

/** Returns whether an answer says anything: an empty text and no choice do not. */
export function isAnswered(answer: Answer | null | undefined): answer is Answer {
  if (answer === null || answer === undefined) return false
  if (typeof answer === 'string') return answer.trim() !== ''
  return !Array.isArray(answer) || answer.length > 0
}

const isSameAnswer = (answer: Answer, other: Answer): boolean =>
  Array.isArray(answer) && Array.isArray(other)
    ? answer.length === other.length && answer.every((value, index) => value === other[index])
    : answer === other

/** Returns whether a question is asked. Among several choices, the one that `shownIf` names is enough. */
export function isShown({ shownIf }: Question, answers: Answers): boolean {
  if (!shownIf) return true
  const answer = getAnswer(answers, shownIf.questionId)
  if (answer === undefined) return false
  if (Array.isArray(answer) && typeof shownIf.answer === 'string') return answer.includes(shownIf.answer)
  return isSameAnswer(answer, shownIf.answer)
}

const isText = (answer: Answer) => typeof answer === 'string'

const findOption = ({ options = [] }: Question, answer: unknown) =>
  options.find(({ value }) => value === String(answer))

function findNumberError({ min, max }: Question, answer: Answer): string | undefined {
  if (typeof answer !== 'number' || !Number.isFinite(answer)) return 'Please enter a number'
  if (min !== undefined && answer < min) return `Must be at least ${min}`
  if (max !== undefined && answer > max) return `Must be at most ${max}`
  return undefined
}

function findSeveralError(question: Question, answer: Answer): string | undefined {
  if (!Array.isArray(answer) || !answer.every((value) => findOption(question, value)))
    return 'Please choose among the options'
  return new Set(answer).size < answer.length ? 'Please choose each option once' : undefined
}

const unless = (isValid: boolean, message: string) => (isValid ? undefined : message)

/** The check of each type of question: the message about an answer, or undefined. */
const findErrorByType: Record<Question['type'], (question: Question, answer: Answer) => string | undefined> = {
  text: (_, answer) => unless(isText(answer), 'Please enter text'),
  signature: (_, answer) => unless(isText(answer), 'Please sign with your name'),
  number: findNumberError,
  date: (_, answer) => unless(CalendarDate.safeParse(answer).success, 'Please enter a valid date'),
  choice: (question, answer) =>
    unless(isText(answer) && findOption(question, answer) !== undefined, 'Please choose one of the options'),
  several: findSeveralError,
  'yes-no': (_, answer) => unless(typeof answer === 'boolean', 'Please answer yes or no'),
  scale: (question, answer) =>
    unless(
      typeof answer === 'number' && findOption(question, answer) !== undefined,
      'Please choose one of the options',
    ),
}

/** Returns the questions that are shown and required, and have no answer. */
export const findMissingQuestions = (template: FormTemplate, answers: Answers): Question[] =>
  listQuestions(template).filter(
    (question) => question.required && isShown(question, answers) && !isAnswered(getAnswer(answers, question.id)),
  )

/**
 * Checks answers against their template. An empty answer is none; answers that the template does not ask for are kept as
 * they are. `isComplete`: the answers are handed in, so that required questions must be answered.
 */
export function checkAnswers(
  template: FormTemplate,
  answers: Answers,
  { isComplete }: { isComplete: boolean },
): AnswerError[] {
  const missing = isComplete ? findMissingQuestions(template, answers) : []
  return listQuestions(template).flatMap((question) => {
    const answer = getAnswer(answers, question.id)
    const message = isAnswered(answer)
      ? findErrorByType[question.type](question, answer)
      : unless(!missing.includes(question), 'Please answer this question')
    return message === undefined ? [] : [{ path: `formData.${question.id}`, message }]
  })
}

/** Returns the answers that the template does not ask for. */
export function findOtherAnswers(template: FormTemplate, answers: Answers): [questionId: string, answer: Answer][] {
  const asked = new Set(listQuestions(template).map(({ id }) => id))
  return Object.entries(answers).filter(([id]) => !asked.has(id))
}

let longDate: Intl.DateTimeFormat | undefined

function formatDate(answer: string): string {
  if (!CalendarDate.safeParse(answer).success) return answer
  // Created when it is first needed: that takes a tenth of a second of a phone.
  longDate ??= new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })
  return longDate.format(new Date(`${answer}T00:00:00Z`))
}

/**
 * Formats an answer as a person reads it: "Yes", the labels of options, "10 a day", "November 26, 2026". Without its question,
 * the answer is formatted by its own type. The quotes of findings are parts of this text.
 */
export function formatAnswer(question: Question | undefined, answer: Answer | undefined): string {
  if (!isAnswered(answer)) return notAnswered
  if (typeof answer === 'boolean') return answer ? 'Yes' : 'No'
  const labelOf = (value: string | number) => (question && findOption(question, value)?.label) ?? String(value)
  if (Array.isArray(answer)) return answer.map(labelOf).join(', ')
  if (question?.type === 'date' && typeof answer === 'string') return formatDate(answer)
  return question?.unit && typeof answer === 'number' ? `${answer} ${question.unit}` : labelOf(answer)
}
