import type { FormTemplate, Question } from '#contracts/forms.ts'
import type { Answer, Answers } from '#contracts/values/forms.ts'
import { findAnswerError, getAnswer, isAnswered, isSameAnswer, isShown, listQuestions } from '../answers.ts'

/** A step: a group of the template with the questions that are asked. */
export type FillStep = { id: string; title: string; questions: readonly Question[] }

/** Changed answers by question; null removes one. */
export type AnswerChanges = Readonly<Record<string, Answer | null>>

/** Returns the questions that are asked. An answer to a hidden question counts as none, so that what depends on it is hidden too. */
export function listAskedQuestions(template: FormTemplate, typed: Answers): Question[] {
  const answers: Record<string, Answer> = {}
  return listQuestions(template).filter((question) => {
    if (!isShown(question, answers)) return false
    const answer = getAnswer(typed, question.id)
    if (answer !== undefined) answers[question.id] = answer
    return true
  })
}

/** Returns the steps in order; a group of which no question is asked is none. */
export function listSteps(template: FormTemplate, typed: Answers): FillStep[] {
  const asked = new Set(listAskedQuestions(template, typed))
  return template.groups
    .map(({ id, title, questions }) => ({ id, title, questions: questions.filter((question) => asked.has(question)) }))
    .filter(({ questions }) => questions.length > 0)
}

/** Returns what is to be saved: the answers that are asked for and valid. What is typed for a hidden question stays on screen only. */
export function toSavedAnswers(template: FormTemplate, typed: Answers): Answers {
  const entries = listAskedQuestions(template, typed).flatMap((question) => {
    const answer = getAnswer(typed, question.id)
    const isSaved = isAnswered(answer) && findAnswerError(question, answer) === undefined
    return isSaved ? [[question.id, answer] as const] : []
  })
  return Object.fromEntries(entries)
}

/** Returns the change from one state of the answers to another. */
export function diffAnswers(before: Answers, after: Answers): AnswerChanges {
  const ids = new Set([...Object.keys(before), ...Object.keys(after)])
  const changed = [...ids].filter((id) => !isSameAnswer(getAnswer(before, id), getAnswer(after, id)))
  return Object.fromEntries(changed.map((id) => [id, getAnswer(after, id) ?? null]))
}

/** Returns the messages about answers that keep a form from being submitted, by question, in the order of the questions. */
export function findSubmitErrors(template: FormTemplate, typed: Answers): Map<string, string> {
  const errors = new Map<string, string>()
  for (const question of listAskedQuestions(template, typed)) {
    const answer = getAnswer(typed, question.id)
    const missing = question.required ? 'Please answer this question' : undefined
    const message = isAnswered(answer) ? findAnswerError(question, answer) : missing
    if (message !== undefined) errors.set(question.id, message)
  }
  return errors
}

/** Returns a typed number, with or without thousands separators; any other text stays a text, which is not saved. */
export function parseNumber(text: string): number | string {
  const trimmed = text.trim()
  const isGrouped = /^-?\d{1,3}(,\d{3})+(\.\d*)?$/.test(trimmed)
  const plain = isGrouped ? trimmed.replaceAll(',', '') : trimmed
  return /^-?(\d+\.?\d*|\.\d+)$/.test(plain) ? Number(plain) : text
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
