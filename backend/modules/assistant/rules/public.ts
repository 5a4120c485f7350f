import { weighConflict } from './allergy-conflicts.ts'
import { findInChart } from './medicine-mentions.ts'
import type { Chart } from './rule.ts'

/** A medicine that a patient takes and does not tolerate, by the names of the medicine table. */
export type ChartConflict = { medicine: string; allergen: string; severity: 'attention' | 'urgent' }

/** Lists the medicines of a chart to which its allergies speak, the urgent first. Entries that name no known medicine are left out. */
export function findChartConflicts({ allergies, medications }: Chart): ChartConflict[] {
  if (allergies.length === 0 || medications.length === 0) return []
  const allergens = findInChart(allergies).map((allergen) => ({ ...allergen, isSevere: true }))
  const conflicts = findInChart(medications).flatMap((medicine) =>
    allergens.flatMap((allergen): ChartConflict[] => {
      const severity = weighConflict(allergen, medicine)
      return severity ? [{ medicine: medicine.name, allergen: allergen.name, severity }] : []
    }),
  )
  return [...withSeverity(conflicts, 'urgent'), ...withSeverity(conflicts, 'attention')]
}

const withSeverity = (conflicts: readonly ChartConflict[], severity: ChartConflict['severity']) =>
  conflicts.filter((conflict) => conflict.severity === severity)
