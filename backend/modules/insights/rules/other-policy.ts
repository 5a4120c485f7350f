import { basedOnAppointments, countNoun, type FoundRecords, type Suggestion } from './suggestion.ts'

/** Suggests to compare the verified policy of patients with the one in their record; `flagged` are appointments within three days. */
export const suggestComparingPolicies = (found: FoundRecords): Suggestion => ({
  type: 'alert',
  priority: found.flagged > 0 ? 'high' : 'medium',
  title: `${countNoun(found.total, 'appointment is', 'appointments are')} covered by another insurance than the one in the record`,
  message:
    'The verified policy and the one in the record of the patient are not the same: one of them is no longer right, and a claim to it would be refused.',
  actionItems: [
    'Compare both with the card of the patient',
    'Verify the insurance in the record, or enter the verified one there',
  ],
  ...basedOnAppointments(found),
})
