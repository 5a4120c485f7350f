import type { FormTemplate, Question } from '#contracts/forms.ts'
import type { Answer, Answers } from '#contracts/values/forms.ts'

/** The text of a question without an answer. */
export const notAnswered = 'Not answered'

/** Returns the answer to a question. A key such as `constructor` has none, although every object inherits a value of that name. */
export const getAnswer = (answers: Answers, questionId: string): Answer | undefined =>
  Object.hasOwn(answers, questionId) ? answers[questionId] : undefined

/** Returns whether an answer says anything: an empty text and no choice do not. */
export function isAnswered(answer: Answer | null | undefined): answer is Answer {
  if (answer === null || answer === undefined) return false
  if (typeof answer === 'string') return answer.trim() !== ''
  return !Array.isArray(answer) || answer.length > 0
}

/** Returns whether two answers are the same; the order of several choices counts. */
export const isSameAnswer = (answer: Answer | undefined, other: Answer | undefined): boolean =>
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

/** Returns the questions of a template in the order in which they are asked. */
export const listQuestions = ({ groups }: FormTemplate): Question[] => groups.flatMap(({ questions }) => questions)

/** Returns the answers that the template does not ask for. */
export function findOtherAnswers(template: FormTemplate, answers: Answers): [questionId: string, answer: Answer][] {
  const asked = new Set(listQuestions(template).map(({ id }) => id))
  return Object.entries(answers).filter(([id]) => !asked.has(id))
}

const findOption = ({ options = [] }: Question, answer: string | number) =>
  options.find(({ value }) => value === String(answer))

const isCalendarDate = (text: string) => {
  const instant = new Date(`${text}T00:00:00Z`)
  // February 31 would become March 3.
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(text)
}

function findNumberError({ min, max }: Question, answer: Answer): string | undefined {
  if (typeof answer !== 'number' || !Number.isFinite(answer)) return 'Please enter a number'
  if (min !== undefined && answer < min) return `Must be at least ${min}`
  if (max !== undefined && answer > max) return `Must be at most ${max}`
  return undefined
}

/** Returns the message about an answer that cannot be saved as it is typed; undefined for all others. */
export function findAnswerError(question: Question, answer: Answer): string | undefined {
  if (!isAnswered(answer)) return undefined
  if (question.type === 'number') return findNumberError(question, answer)
  if (question.type === 'date' && !isCalendarDate(String(answer))) return 'Please enter a valid date'
  return undefined
}

const longDate = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })

/**
 * Formats an answer as a person reads it: "Yes", the labels of options, "10 a day", "November 26, 2026". Without its question,
 * the answer is formatted by its own type. The quotes of findings are parts of this text.
 */
export function formatAnswer(question: Question | undefined, answer: Answer | undefined): string {
  if (!isAnswered(answer)) return notAnswered
  if (typeof answer === 'boolean') return answer ? 'Yes' : 'No'
  const toLabel = (value: string | number) => (question && findOption(question, value)?.label) ?? String(value)
  if (Array.isArray(answer)) return answer.map(toLabel).join(', ')
  if (question?.type === 'date' && typeof answer === 'string' && isCalendarDate(answer))
    return longDate.format(new Date(`${answer}T00:00:00Z`))
  return question?.unit && typeof answer === 'number' ? `${answer} ${question.unit}` : toLabel(answer)
}
