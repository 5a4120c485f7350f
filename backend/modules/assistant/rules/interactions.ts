import type { FindingSeverity } from '#contracts/values/forms.ts'
import { describeMedicine, listTaken, type NamedMedicine } from './medicine-mentions.ts'
import type { MedicineClass } from './medicine-names.ts'
import { createFinding, type Outcome, type Rule } from './rule.ts'

type Interaction = {
  between: readonly [MedicineClass, MedicineClass]
  severity: FindingSeverity
  effect: string
  action: string
}

const checkBleeding = 'Check whether a pain medicine without a risk of bleeding will do'

/**
 * Medicines that interact, from the US prescribing information (DailyMed) of the first medicine of each pair; opioids with benzodiazepines: FDA boxed warning
 * of 2016. Urgent are the pairs that it calls contraindicated or warns of in a box.
 */
const interactions: readonly Interaction[] = [
  {
    between: ['levothyroxine', 'mineral'],
    severity: 'attention',
    effect: 'it is absorbed less when both are taken within four hours',
    action: 'Have levothyroxine taken at least four hours apart from iron and calcium',
  },
  { between: ['warfarin', 'NSAID'], severity: 'attention', effect: 'higher risk of bleeding', action: checkBleeding },
  {
    between: ['anticoagulant', 'NSAID'],
    severity: 'attention',
    effect: 'higher risk of bleeding',
    action: checkBleeding,
  },
  { between: ['antidepressant', 'NSAID'], severity: 'info', effect: 'higher risk of bleeding', action: checkBleeding },
  {
    between: ['antidepressant', 'MAO inhibitor'],
    severity: 'urgent',
    effect: 'contraindicated, risk of serotonin syndrome',
    action: 'Ask the prescriber today which of the two continues',
  },
  {
    between: ['antidepressant', 'tramadol'],
    severity: 'attention',
    effect: 'risk of serotonin syndrome and seizures',
    action: 'Check the pain medicine with the prescriber',
  },
  {
    between: ['antidepressant', "St. John's wort"],
    severity: 'attention',
    effect: 'risk of serotonin syndrome',
    action: "Advise against St. John's wort",
  },
  {
    between: ['hormonal contraceptive', "St. John's wort"],
    severity: 'attention',
    effect: 'the contraceptive may fail',
    action: "Advise against St. John's wort",
  },
  {
    between: ['PDE-5 inhibitor', 'nitrate'],
    severity: 'urgent',
    effect: 'contraindicated, blood pressure may fall dangerously',
    action: 'Call the patient today: the two must not be taken together',
  },
  {
    between: ['ACE inhibitor', 'potassium'],
    severity: 'attention',
    effect: 'potassium in the blood may rise',
    action: 'Check potassium and kidney function',
  },
  {
    between: ['methotrexate', 'trimethoprim'],
    severity: 'urgent',
    effect: 'it may suppress the bone marrow',
    action: 'Call the patient today, and check the blood count',
  },
  {
    between: ['methotrexate', 'NSAID'],
    severity: 'attention',
    effect: 'methotrexate may rise to toxic levels',
    action: 'Check kidney function and blood count',
  },
  {
    between: ['simvastatin', 'macrolide'],
    severity: 'urgent',
    effect: 'contraindicated with clarithromycin and erythromycin, risk of muscle damage',
    action: 'Check whether simvastatin is to be paused',
  },
  {
    between: ['opioid', 'benzodiazepine'],
    severity: 'urgent',
    effect: 'breathing may slow down dangerously',
    action: 'Check with the prescriber whether both are needed',
  },
  {
    between: ['lithium', 'NSAID'],
    severity: 'attention',
    effect: 'lithium may rise to toxic levels',
    action: 'Check the lithium level',
  },
  {
    between: ['lithium', 'ACE inhibitor'],
    severity: 'attention',
    effect: 'lithium may rise to toxic levels',
    action: 'Check the lithium level',
  },
  {
    between: ['clopidogrel', 'omeprazole'],
    severity: 'attention',
    effect: 'clopidogrel works less',
    action: 'Check whether another acid reducer will do',
  },
]

/** Exceptions within a class, by the same sources. */
const isExcepted = ({ name }: NamedMedicine, { between }: Interaction) =>
  between.includes('simvastatin') && name === 'azithromycin'

/** Finds pairs of medicines that interact, at least one of which the form names. One finding for each kind of pair. */
export const findInteractions: Rule = (form) => {
  const taken = listTaken(form)
  return interactions.flatMap((interaction): Outcome[] => {
    const [first, second] = interaction.between.map((medicineClass) =>
      taken.filter((medicine) => medicine.medicineClass === medicineClass && !isExcepted(medicine, interaction)),
    )
    const pairs = (first ?? []).flatMap((one) => (second ?? []).map((other) => [one, other] as const))
    const pair = pairs.find((medicines) => medicines.some(({ evidence }) => evidence !== null))
    if (!pair) return []
    const text = `Takes ${pair.map(describeMedicine).join(' with ')}: ${interaction.effect}`
    const evidence = pair.flatMap((medicine) => medicine.evidence ?? [])
    return [
      {
        finding: createFinding(interaction.severity, text, evidence),
        followUpQuestion: `How often do you take ${pair.map(({ name }) => name).join(' and ')}, and how much?`,
        suggestedAction: interaction.action,
      },
    ]
  })
}
