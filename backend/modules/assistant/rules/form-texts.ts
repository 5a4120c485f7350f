import { findOtherAnswers, formatAnswer, getAnswer, isAnswered } from '#contracts/form-answers.ts'
import { listQuestions } from '#contracts/form-templates.ts'
import type { FormTemplate } from '#contracts/forms.ts'
import type { Answer, Answers } from '#contracts/values/forms.ts'

/** The subject of a text: it decides how a symptom or a medicine in it is understood. */
export type Topic =
  | 'symptoms'
  | 'history'
  | 'family'
  | 'allergies'
  | 'reactions'
  | 'medicines'
  | 'procedure'
  | 'administrative'

/** An answer in words, as `formatAnswer` returns it. */
export type FormText = { questionId: string; topic: Topic; text: string }

/** The first pattern that matches a question's id decides, so that answers without a question have a topic too. */
const topics: readonly (readonly [pattern: RegExp, topic: Topic])[] = [
  [/famil/i, 'family'],
  [/reaction|intoleran/i, 'reactions'],
  [/allerg/i, 'allergies'],
  [/medicine|medication|prescription|supplement/i, 'medicines'],
  [/operation|surger|hospital|immuniz|vaccin|past/i, 'history'],
  [/procedure|explained/i, 'procedure'],
  [
    /phone|e-?mail|address|contact|name|insur|polic|group|member|relationship|signature|birth|valid|secondary/i,
    'administrative',
  ],
]

export const findTopic = (questionId: string): Topic =>
  topics.find(([pattern]) => pattern.test(questionId))?.[1] ?? 'symptoms'

const isWords = (answer: Answer | undefined): answer is string | string[] =>
  typeof answer === 'string' || Array.isArray(answer)

/** Lists the answers in words: those of questions for a text or for several choices, and other answers. */
export function listTexts(template: FormTemplate, answers: Answers): FormText[] {
  const asked = listQuestions(template)
    .filter(({ type }) => type === 'text' || type === 'several')
    .map((question) => [question, question.id, getAnswer(answers, question.id)] as const)
  const others = findOtherAnswers(template, answers).map(([id, answer]) => [undefined, id, answer] as const)
  return [...asked, ...others].flatMap(([question, questionId, answer]) =>
    isWords(answer) && isAnswered(answer)
      ? [{ questionId, topic: findTopic(questionId), text: formatAnswer(question, answer) }]
      : [],
  )
}
