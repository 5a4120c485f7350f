import { getAnswer, isAnswered } from '#contracts/form-answers.ts'
import type { FindingSeverity } from '#contracts/values/forms.ts'
import { isDenial, quoteStart } from './mentions.ts'
import { quoteAnswer } from './quote-answer.ts'
import { createFinding, type Outcome, type ReadForm, type Rule } from './rule.ts'

function createOutcome(
  form: ReadForm,
  severity: FindingSeverity,
  text: string,
  questionIds: readonly string[],
  suggestedAction: string,
): Outcome {
  const evidence = questionIds.map((questionId) => quoteAnswer(form, questionId))
  return { finding: createFinding(severity, text, evidence), suggestedAction }
}

function findOpenQuestion({ texts }: ReadForm): Outcome[] {
  const question = texts.find(({ questionId, text }) => questionId === 'questions' && !isDenial(text))
  if (!question) return []
  return [
    {
      finding: createFinding('info', 'Has a question about the procedure', [quoteStart(question)]),
      suggestedAction: 'Answer the question before the procedure',
    },
  ]
}

/** Finds consents that are no consent: without agreement, understanding or a signature. */
export const findConsentConcerns: Rule = (form) => {
  if (form.template.formType !== 'consent') return []
  const understood = getAnswer(form.answers, 'understood')
  const agrees = getAnswer(form.answers, 'agrees')
  const both = ['understood', 'agrees']
  const outcomes: Outcome[] = []
  if (agrees === false && understood === true)
    outcomes.push(
      createOutcome(
        form,
        'attention',
        'Has understood the procedure, but does not agree to it',
        both,
        'Do not proceed; talk with the patient',
      ),
    )
  if (agrees === false && understood !== true)
    outcomes.push(
      createOutcome(
        form,
        'attention',
        'Does not agree to the procedure',
        ['agrees'],
        'Do not proceed; talk with the patient',
      ),
    )
  if (agrees === true && understood === false)
    outcomes.push(
      createOutcome(
        form,
        'urgent',
        'Agrees to a procedure without having understood it',
        both,
        'Explain the procedure again before it is done',
      ),
    )
  if (agrees === true && !isAnswered(getAnswer(form.answers, 'signature')))
    outcomes.push(
      createOutcome(
        form,
        'attention',
        'Agrees, but has not signed',
        ['agrees', 'signature'],
        'Have the consent signed before the procedure',
      ),
    )
  return [...outcomes, ...findOpenQuestion(form)]
}
