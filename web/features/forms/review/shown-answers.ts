import { findOtherAnswers, formatAnswer, getAnswer, isAnswered, isShown, notAnswered } from '#contracts/form-answers.ts'
import type { FormTemplate } from '#contracts/forms.ts'
import type { Answers } from '#contracts/values/forms.ts'

/** An answer as it is shown beside its question. */
export type ShownAnswer = { questionId: string; label: string; text: string; isAnswered: boolean }

export type AnswerGroup = { id: string; title: string; answers: readonly ShownAnswer[] }

/**
 * Returns the answers in the groups of the template, also of questions that are not asked any more but have an answer; those
 * that the template does not ask for come last. Without a template, all are among these.
 */
export function groupAnswers(template: FormTemplate | null, answers: Answers): AnswerGroup[] {
  const groups = (template?.groups ?? []).map(({ id, title, questions }) => ({
    id,
    title,
    answers: questions.flatMap((question) => {
      const answer = getAnswer(answers, question.id)
      if (!isShown(question, answers) && !isAnswered(answer)) return []
      return [
        {
          questionId: question.id,
          label: question.label,
          text: formatAnswer(question, answer),
          isAnswered: isAnswered(answer),
        },
      ]
    }),
  }))
  const others = template ? findOtherAnswers(template, answers) : Object.entries(answers)
  const other = {
    // A group of a template has another id: these have no spaces.
    id: 'other answers',
    title: 'Other answers',
    answers: others.map(([questionId, answer]) => {
      const text = formatAnswer(undefined, answer)
      return { questionId, label: questionId, text, isAnswered: text !== notAnswered }
    }),
  }
  return [...groups, other].filter((group) => group.answers.length > 0)
}

/** Returns the texts of all answers by question. */
export const listAnswerTexts = (groups: readonly AnswerGroup[]): Map<string, string> =>
  new Map(groups.flatMap((group) => group.answers.map(({ questionId, text }) => [questionId, text] as const)))
