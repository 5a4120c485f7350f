import { getAnswer, isAnswered } from '#contracts/form-answers.ts'
import { findMentions, toEvidence } from './mentions.ts'
import { quoteAnswer } from './quote-answer.ts'
import { createFinding, type Evidence, type Outcome, type ReadForm, type Rule } from './rule.ts'

const askForCard = 'Ask for the insurance card, and verify the coverage before the appointment'

/** An insurance company with the question for its policy number. */
const policies = [
  { insurer: 'insurer', number: 'policy-number' },
  { insurer: 'secondary-insurer', number: 'secondary-policy-number' },
] as const

/** A policy number has a digit; "don't know" and "will bring the card" have none. */
const isPolicyNumber = (answer: unknown) => typeof answer === 'string' && /\d/.test(answer)

const findMissingNumbers = (form: ReadForm): Outcome[] =>
  policies
    .filter(({ insurer }) => isAnswered(getAnswer(form.answers, insurer)))
    .filter(({ number }) => !isPolicyNumber(getAnswer(form.answers, number)))
    .map(({ insurer, number }) => ({
      finding: createFinding('attention', `There is no policy number for ${quoteAnswer(form, insurer).quote}`, [
        quoteAnswer(form, number),
        quoteAnswer(form, insurer),
      ]),
      followUpQuestion: 'What is the policy number on your insurance card?',
      suggestedAction: askForCard,
    }))

function findPastDate(form: ReadForm): Evidence[] {
  const until = getAnswer(form.answers, 'valid-until')
  const isPast =
    form.today !== undefined && typeof until === 'string' && /^\d{4}-\d\d-\d\d$/.test(until) && until < form.today
  return isPast ? [quoteAnswer(form, 'valid-until')] : []
}

const ended =
  /\b(?:expired|lapsed|cancell?ed|terminated|ran out|run out|ended|ends (?:this|next) (?:week|month)|no longer (?:have|covered|insured|valid|active)|lost my (?:insurance|coverage)|(?:do not|don't) have insurance|uninsured)\b/gi

const findEndedWords = ({ texts }: ReadForm): Evidence[] =>
  texts.flatMap((text) => findMentions(text, ended).map(toEvidence))

function findEndedCoverage(form: ReadForm): Outcome[] {
  const evidence = [...findPastDate(form), ...findEndedWords(form)]
  if (evidence.length === 0) return []
  return [
    {
      finding: createFinding('attention', 'The coverage has ended or is about to end', evidence),
      followUpQuestion: 'Do you have a new insurance, and since when?',
      suggestedAction: askForCard,
    },
  ]
}

/** Finds coverage that cannot be billed: ended, or without a policy number. */
export const findInsuranceConcerns: Rule = (form) =>
  form.template.formType === 'insurance' ? [...findMissingNumbers(form), ...findEndedCoverage(form)] : []
