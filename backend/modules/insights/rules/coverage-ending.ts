import { basedOnAppointments, countNoun, type FoundRecords, type Suggestion } from './suggestion.ts'

/** Days ahead in which appointments are compared with the coverage of their patients. */
export const coverageDays = 14

/** Suggests to ask for the insurance of patients whose coverage does not include their appointment; `flagged` are within three days. */
export const suggestCheckingCoverage = (found: FoundRecords): Suggestion => ({
  type: 'alert',
  priority: found.flagged > 0 ? 'high' : 'medium',
  title: `${countNoun(found.total, 'appointment is', 'appointments are')} not covered by the patient's insurance`,
  message:
    'On the day of the appointment the coverage has ended, or the insurer has denied it. With a new policy it can be verified in time.',
  actionItems: ['Ask the patients for their current insurance', 'Verify it before the appointment'],
  ...basedOnAppointments(found),
})
