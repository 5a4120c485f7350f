import { formatAnswer, getAnswer } from '#contracts/form-answers.ts'
import { listQuestions } from '#contracts/form-templates.ts'
import type { Evidence, FormToAnalyze } from './rule.ts'

/** Quotes the whole answer to a question; "Not answered" when there is none. */
export const quoteAnswer = (
  { template, answers }: Pick<FormToAnalyze, 'template' | 'answers'>,
  questionId: string,
): Evidence => ({
  questionId,
  quote: formatAnswer(
    listQuestions(template).find(({ id }) => id === questionId),
    getAnswer(answers, questionId),
  ),
})
