import {
  type Allergen,
  describeMedicine,
  listAllergens,
  listPlanned,
  listTaken,
  type NamedMedicine,
} from './medicine-mentions.ts'
import type { MedicineClass } from './medicine-names.ts'
import { quoteStart } from './mentions.ts'
import { createFinding, type Outcome, type ReadForm, type Rule } from './rule.ts'

/** Classes in which an allergy to one medicine rules out every other one, by their US prescribing information. */
const sharedAllergies: readonly MedicineClass[] = [
  'penicillin',
  'cephalosporin',
  'sulfonamide antibiotic',
  'NSAID',
  'ACE inhibitor',
  'iodinated contrast',
]

/** Classes in which the others are to be checked before they are given. */
const relatedAllergies: readonly MedicineClass[] = ['opioid', 'macrolide', 'fluoroquinolone', 'tetracycline']

/** Classes for interactions only: their medicines are entries of another class too. */
const repeatedClasses: readonly MedicineClass[] = ['tramadol', 'trimethoprim']

/**
 * Penicillins and cephalosporins cross-react in about 2 % of patients (Drug allergy practice parameter, AAAAI and ACAAI 2022).
 * Diuretics and other sulfonamides that are no antibiotics do not (Strom et al., N Engl J Med 2003).
 */
const isCrossReaction = (one: MedicineClass, other: MedicineClass) =>
  one !== other && [one, other].every((each) => each === 'penicillin' || each === 'cephalosporin')

/** Returns how much an allergy matters to a medicine; null when it does not. */
export function weighConflict(allergen: Allergen, medicine: NamedMedicine): 'attention' | 'urgent' | null {
  const { medicineClass } = allergen
  if (repeatedClasses.includes(medicineClass)) return null
  if (isCrossReaction(medicineClass, medicine.medicineClass)) return 'attention'
  if (medicineClass !== medicine.medicineClass) return null
  const isSame = allergen.name === medicine.name
  if (isSame || sharedAllergies.includes(medicineClass)) return allergen.isSevere ? 'urgent' : 'attention'
  return relatedAllergies.includes(medicineClass) ? 'attention' : null
}

/** Describes how a medicine is related to another one. */
function describeRelation(allergen: Allergen, medicine: NamedMedicine): string {
  if (allergen.name === medicine.name) return ''
  return allergen.medicineClass === medicine.medicineClass ? ', of the same class' : ', which can cross-react'
}

function findConflict(allergen: Allergen, medicine: NamedMedicine, verb: string): Outcome[] {
  const severity = weighConflict(allergen, medicine)
  const evidence = [medicine.evidence, allergen.evidence].filter((each) => each !== null)
  if (severity === null || evidence.length === 0) return []
  const reaction = allergen.isSevere ? 'an allergy' : 'a reaction'
  const text = `${verb} ${describeMedicine(medicine)}, and has ${reaction} to ${describeMedicine(allergen)}${describeRelation(allergen, medicine)}`
  return [
    {
      finding: createFinding(severity, text, evidence),
      followUpQuestion: `What happened when you took ${allergen.name}, and how long ago?`,
      suggestedAction: `Check ${medicine.name} against the recorded allergies before it is taken again`,
    },
  ]
}

/** Keeps the first of several findings about one medicine. A list of allergies often names a class and its members. */
const onePerMedicine = (outcomes: readonly { medicine: string; outcome: Outcome }[]): Outcome[] =>
  outcomes
    .toSorted(
      (a, b) => Number(b.outcome.finding.severity === 'urgent') - Number(a.outcome.finding.severity === 'urgent'),
    )
    .filter(({ medicine }, index, sorted) => sorted.findIndex((other) => other.medicine === medicine) === index)
    .map(({ outcome }) => outcome)

/** Any procedure may bring latex close; it is not named as a medicine is. */
function findLatexConflict({ texts }: ReadForm, allergens: readonly Allergen[]): Outcome[] {
  const latex = allergens.find(({ medicineClass }) => medicineClass === 'latex')
  const procedure = texts.find(({ questionId }) => questionId === 'procedure')
  if (!latex || !procedure) return []
  return [
    {
      finding: createFinding(
        'attention',
        `A procedure is planned, and there is an allergy to ${describeMedicine(latex)}`,
        [quoteStart(procedure), ...(latex.evidence ? [latex.evidence] : [])],
      ),
      suggestedAction: 'Plan the procedure without latex',
    },
  ]
}

/** Finds medicines to which the patient is allergic. What only the chart says is no finding on a form. */
export const findAllergyConflicts: Rule = (form) => {
  const allergens = listAllergens(form)
  const inUse = [
    ...listTaken(form).map((medicine) => ({ medicine, verb: 'Takes' })),
    ...listPlanned(form).map((medicine) => ({ medicine, verb: 'Is to be given' })),
  ]
  const conflicts = inUse.flatMap(({ medicine, verb }) =>
    allergens.flatMap((allergen) =>
      findConflict(allergen, medicine, verb).map((outcome) => ({ medicine: `${verb} ${medicine.name}`, outcome })),
    ),
  )
  return [...onePerMedicine(conflicts), ...findLatexConflict(form, allergens)]
}
