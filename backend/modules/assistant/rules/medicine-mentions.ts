import type { FormText, Topic } from './form-texts.ts'
import { medicines, type Medicine } from './medicine-names.ts'
import { findMentions, type Mention, toEvidence } from './mentions.ts'
import type { Evidence, ReadForm } from './rule.ts'

/** A medicine that the patient takes, or reacts to. `evidence` is null when only the chart names it. */
export type NamedMedicine = Medicine & { evidence: Evidence | null }

/**
 * A medicine that was not tolerated. `isSevere`: an allergy, or a reaction with signs of one; otherwise it may be a side
 * effect.
 */
export type Allergen = NamedMedicine & { isSevere: boolean }

/** The part of a sentence since its last comma: "stopped ibuprofen, now warfarin". */
const lastPart = (before: string) => before.split(/,|\bnow\b|\bbut\b/i).at(-1) ?? ''

const notTaken =
  /\b(?:allergic to|allerg(?:y|ies) to|stopped|quit|used to|no longer|instead of|avoid\w*|reacted|reaction|intoleran\w*|afraid of|(?:came|am|i'm|been|went) off|ran out of|tolerate|as a (?:child|kid|teenager)|in (?:19|20)\d\d(?! (?:i )?(?:started|began)))\b/i
const stoppedAfter =
  /^[^,.;]{0,25}\b(?:stopped|discontinued|until (?:19|20)\d\d|in the past|years ago)\b|^s?[\s-]*allerg/i
const taking = /\b(?:take|takes|taking|took|use|uses|using|on|prescribed|swallow(?:ed)?)\s+(?:[\w.,'-]+\s+){0,6}$/i

const isTaken = (topic: Topic, { before, after }: Mention): boolean => {
  if (notTaken.test(lastPart(before)) || stoppedAfter.test(after)) return false
  return topic === 'medicines' || (topic === 'symptoms' && taking.test(before))
}

const isAllergyTo = ({ before, after }: Mention): boolean =>
  /\ballergic (?:reaction )?to\s+(?:[\w,'-]+\s+){0,6}$|\ballerg(?:y|ies) (?:to|against|is|are)\s+(?:[\w,'-]+\s+){0,6}$/i.test(
    before,
  ) || /^s?[\s-]*allerg/i.test(after)

const tolerated = /^s?\s*(?:is|was|are|were)?\s*(?:fine|ok(?:ay)?|tolerated|no problem)\b/i
const tolerates = /\b(?:tolerated?|fine with|ok(?:ay)? with|no problems? with)\s+(?:[\w,'-]+\s+){0,3}$/i

const isTolerated = ({ before, after }: Mention) => tolerated.test(after) || tolerates.test(before)

/** Signs of an allergy rather than of a side effect. */
const allergicSigns =
  /\b(?:rash|hives|welts|swell\w*|swollen|itch\w*|breath\w*|wheez\w*|anaphyla\w*|throat|shock|allerg\w*)\b/i

const nonAllergyTopics: readonly Topic[] = ['family', 'administrative', 'procedure']

function readAllergen({ topic }: FormText, mention: Mention): { isSevere: boolean } | null {
  if (nonAllergyTopics.includes(topic) || isTolerated(mention)) return null
  if (topic === 'allergies' || isAllergyTo(mention)) return { isSevere: true }
  return topic === 'reactions' ? { isSevere: allergicSigns.test(mention.quote) } : null
}

/** Keeps one of each medicine: what the patient writes now before what the chart lists. */
const distinct = <T extends NamedMedicine>(named: readonly T[]): T[] =>
  named.filter(
    ({ name, medicineClass }, index) =>
      named.findIndex((other) => other.name === name && other.medicineClass === medicineClass) === index,
  )

const findInTexts = <T>(texts: readonly FormText[], read: (text: FormText, mention: Mention) => T | null) =>
  texts.flatMap((text) =>
    medicines.flatMap((medicine) =>
      findMentions(text, medicine.pattern).flatMap((mention) => {
        const found = read(text, mention)
        return found === null ? [] : [{ ...medicine, ...found, evidence: toEvidence(mention) }]
      }),
    ),
  )

/** Finds the medicines that entries of a chart name, each without evidence. */
export const findInChart = (entries: readonly string[]): NamedMedicine[] =>
  entries.flatMap((entry) =>
    medicines.filter(({ pattern }) => entry.search(pattern) >= 0).map((medicine) => ({ ...medicine, evidence: null })),
  )

/** Lists the medicines that the patient takes, by the form and by the chart. */
export const listTaken = ({ texts, chart }: ReadForm): NamedMedicine[] =>
  distinct<NamedMedicine>([
    ...findInTexts(texts, ({ topic }, mention) => (isTaken(topic, mention) ? {} : null)),
    ...findInChart(chart.medications),
  ])

/** Lists the medicines that a planned procedure uses. */
export const listPlanned = ({ texts }: ReadForm): NamedMedicine[] =>
  distinct<NamedMedicine>(
    findInTexts(texts, ({ topic }, mention) =>
      topic === 'procedure' && !notTaken.test(mention.before) && !isAllergyTo(mention) ? {} : null,
    ),
  )

/** Lists the medicines to which the patient reacts, by the form and by the chart; allergies before reactions. */
export function listAllergens({ texts, chart }: ReadForm): Allergen[] {
  const inForm = findInTexts(texts, readAllergen)
  return distinct<Allergen>([
    ...inForm.filter(({ isSevere }) => isSevere),
    ...findInChart(chart.allergies).map((medicine) => ({ ...medicine, isSevere: true })),
    ...inForm,
  ])
}

export const describeMedicine = ({ name, evidence }: NamedMedicine): string =>
  evidence ? name : `${name} (in the chart)`
