import { basedOnAppointments, countNoun, type FoundRecords, type Suggestion } from './suggestion.ts'

/** Days ahead in which the insurance of patients should be verified, and those in which that is urgent. */
export const unverifiedDays = { ahead: 3, urgent: 1 } as const

/** Suggests to verify the insurance of patients who are expected soon; `flagged` are expected today or tomorrow. */
export const suggestVerifying = (found: FoundRecords): Suggestion => ({
  type: 'alert',
  priority: found.flagged > 0 ? 'high' : 'medium',
  title: `${countNoun(found.total, 'appointment is', 'appointments are')} near, and the insurance is not verified`,
  message:
    'The insurer has not confirmed the policy, or was never asked about the one in the record. What it does not cover is found out too late after the appointment.',
  actionItems: [
    'Verify the insurance from the details of the appointment',
    'Tell the patients what they may have to pay',
  ],
  ...basedOnAppointments(found),
})
