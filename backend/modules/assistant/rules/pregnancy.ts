import { getAnswer } from '#contracts/form-answers.ts'
import { describeMedicine, listTaken } from './medicine-mentions.ts'
import type { MedicineClass } from './medicine-names.ts'
import { type Mention, toEvidence } from './mentions.ts'
import { quoteAnswer } from './quote-answer.ts'
import { findSymptoms } from './red-flags.ts'
import { createFinding, type Evidence, type Outcome, type ReadForm, type Rule } from './rule.ts'

const questionId = 'pregnancy'

const pregnant =
  /\b(?:i(?: am|'m)|am|currently|being|\d+ (?:weeks?|months?)|weeks?|months?) (?:\w+ ){0,2}pregnant\b|\bexpecting (?:a baby|twins|my)\b|\bmy pregnancy\b|\bpregnant (?:now|since|at the moment)\b/gi
const bleeding =
  /(?<!\b(?:nose|gums?|wound) )\b(?:bleeding|spotting)\b(?! gums)|\b(?:i )?bleed(?= (?:a lot|heavily|since|every))/gi

/** Medicines that harm an unborn child, by their US prescribing information: contraindicated, or with a boxed warning. */
const harmful: readonly MedicineClass[] = ['isotretinoin', 'methotrexate', 'valproate', 'warfarin', 'ACE inhibitor']

const findPregnancy = (form: ReadForm): Evidence[] => [
  ...(getAnswer(form.answers, questionId) === 'yes' ? [quoteAnswer(form, questionId)] : []),
  ...findCurrent(findSymptoms(form.texts, pregnant)).map(toEvidence),
]

const findCurrent = (mentions: readonly Mention[]) => mentions.filter(({ isPast }) => !isPast)

function findBleeding(form: ReadForm, pregnancy: readonly Evidence[]): Outcome[] {
  const mentions = findCurrent(findSymptoms(form.texts, bleeding))
  if (mentions.length === 0) return []
  return [
    {
      finding: createFinding('urgent', 'Is pregnant and mentions bleeding', [
        ...mentions.slice(0, 3).map(toEvidence),
        ...pregnancy,
      ]),
      followUpQuestion: 'In which week are you, how much do you bleed, and do you have pain?',
      suggestedAction: 'Call the patient now; bleeding in pregnancy is seen the same day',
    },
  ]
}

const findHarmfulMedicines = (form: ReadForm, pregnancy: readonly Evidence[]): Outcome[] =>
  listTaken(form)
    .filter(({ medicineClass }) => harmful.includes(medicineClass))
    .map((medicine) => ({
      finding: createFinding(
        'urgent',
        `Is pregnant and takes ${describeMedicine(medicine)}, which can harm the child`,
        [...(medicine.evidence ? [medicine.evidence] : []), ...pregnancy],
      ),
      followUpQuestion: `When did you last take ${medicine.name}?`,
      suggestedAction: `Ask the prescriber today whether ${medicine.name} is to be stopped`,
    }))

function findContradiction(form: ReadForm, pregnancy: readonly Evidence[]): Outcome[] {
  if (getAnswer(form.answers, questionId) !== 'no') return []
  return [
    {
      finding: createFinding('attention', 'Is not pregnant by one answer, and pregnant by another', [
        quoteAnswer(form, questionId),
        ...pregnancy,
      ]),
      followUpQuestion: 'Are you pregnant?',
    },
  ]
}

/** Finds what concerns a pregnancy: bleeding, medicines that harm the child, and answers that contradict each other. */
export const findPregnancyConcerns: Rule = (form) => {
  const pregnancy = findPregnancy(form)
  if (pregnancy.length === 0) return []
  return [
    ...findBleeding(form, pregnancy),
    ...findHarmfulMedicines(form, pregnancy),
    ...findContradiction(form, pregnancy),
  ]
}
