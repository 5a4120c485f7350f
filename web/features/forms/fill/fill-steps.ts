import { checkAnswers, getAnswer, isAnswered, isShown } from '#contracts/form-answers.ts'
import { listQuestions } from '#contracts/form-templates.ts'
import type { FormTemplate, Question } from '#contracts/forms.ts'
import type { Answer, Answers } from '#contracts/values/forms.ts'

/** A step: a group of the template with the questions that are asked. */
export type FillStep = { id: string; title: string; questions: readonly Question[] }

/** Changed answers by question; null removes one. */
export type AnswerChanges = Readonly<Record<string, Answer | null>>

type Asked = { questions: readonly Question[]; answers: Answers }

/**
 * Returns the questions that are asked, and what is typed for them. An answer to a hidden question counts as none, so that what
 * depends on it is hidden too.
 */
function findAsked(template: FormTemplate, typed: Answers): Asked {
  const answers: Record<string, Answer> = {}
  const questions = listQuestions(template).filter((question) => {
    if (!isShown(question, answers)) return false
    const answer = getAnswer(typed, question.id)
    if (answer !== undefined) answers[question.id] = answer
    return true
  })
  return { questions, answers }
}

/** Returns the steps in order; a group of which no question is asked is none. */
export function listSteps(template: FormTemplate, typed: Answers): FillStep[] {
  const asked = new Set(findAsked(template, typed).questions)
  return template.groups
    .map(({ id, title, questions }) => ({ id, title, questions: questions.filter((question) => asked.has(question)) }))
    .filter(({ questions }) => questions.length > 0)
}

const answerPath = /^formData\.([\w.-]+)$/

/** Returns the messages of a refusal by question; errors at anything else are left out. */
export const toAnswerErrors = (errors: readonly { path: string; message: string }[]): Map<string, string> =>
  new Map(
    errors.flatMap(({ path, message }) => {
      const questionId = answerPath.exec(path)?.[1]
      return questionId === undefined ? [] : [[questionId, message] as const]
    }),
  )

/** Returns the messages about answers that cannot be saved as they are typed, by question. */
export const findTypingErrors = (template: FormTemplate, typed: Answers): Map<string, string> =>
  toAnswerErrors(checkAnswers(template, findAsked(template, typed).answers, { isComplete: false }))

/** Returns the messages about answers that keep a form from being submitted, by question, in the order of the questions. */
export const findSubmitErrors = (template: FormTemplate, typed: Answers): Map<string, string> =>
  toAnswerErrors(checkAnswers(template, findAsked(template, typed).answers, { isComplete: true }))

/** Returns what is to be saved: the answers that are asked for and valid. What is typed for a hidden question stays on screen only. */
export function toSavedAnswers(template: FormTemplate, typed: Answers): Answers {
  const errors = findTypingErrors(template, typed)
  const asked = Object.entries(findAsked(template, typed).answers)
  return Object.fromEntries(asked.filter(([id, answer]) => isAnswered(answer) && !errors.has(id)))
}

/** Returns whether two answers are the same; the order of several choices counts. */
const isSameAnswer = (answer: Answer | undefined, other: Answer | undefined): boolean =>
  Array.isArray(answer) && Array.isArray(other)
    ? answer.length === other.length && answer.every((value, index) => value === other[index])
    : answer === other

/** Returns the change from one state of the answers to another. */
export function diffAnswers(before: Answers, after: Answers): AnswerChanges {
  const ids = new Set([...Object.keys(before), ...Object.keys(after)])
  const changed = [...ids].filter((id) => !isSameAnswer(getAnswer(before, id), getAnswer(after, id)))
  return Object.fromEntries(changed.map((id) => [id, getAnswer(after, id) ?? null]))
}

/** Returns a typed number, with or without thousands separators; any other text stays a text, which is not saved. */
export function parseNumber(text: string): number | string {
  const trimmed = text.trim()
  const isGrouped = /^-?\d{1,3}(,\d{3})+(\.\d*)?$/.test(trimmed)
  const plain = isGrouped ? trimmed.replaceAll(',', '') : trimmed
  return /^-?(\d+\.?\d*|\.\d+)$/.test(plain) ? Number(plain) : text
}
