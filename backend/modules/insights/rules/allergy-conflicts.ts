import { basedOnPatients, countNoun, type FoundRecords, type Suggestion } from './suggestion.ts'

/** Suggests to check charts whose medications conflict with their allergies; `flagged` are conflicts of the same medicine or class. */
export const suggestCheckingAllergies = (found: FoundRecords): Suggestion => ({
  type: 'alert',
  priority: found.flagged > 0 ? 'high' : 'medium',
  title: `${countNoun(found.total, 'patient takes', 'patients take')} a medication that may conflict with an allergy`,
  message: 'The chart lists a medication, and an allergy to it, to its class, or to one that can cross-react.',
  actionItems: ['Compare the medications with the allergies', 'Change the prescription, or correct the chart'],
  ...basedOnPatients(found),
})
