import { basedOnAppointments, countNoun, type FoundRecords, type Suggestion } from './suggestion.ts'

/** Days ahead in which an appointment of a deceased patient is more urgent: the practice would soon call or wait. */
export const soonDays = 7

/** Suggests to cancel the appointments of patients who have died; `flagged` are within a week. */
export const suggestCancelling = (found: FoundRecords): Suggestion => ({
  type: 'alert',
  priority: found.flagged > 0 ? 'high' : 'medium',
  title: `${countNoun(found.total, 'appointment is booked for a patient', 'appointments are booked for patients')} recorded as deceased`,
  message:
    'The practice would call or wait for them. The times are free for others once the appointments are cancelled.',
  actionItems: [
    'Check the date of death in the record',
    'Cancel the coming appointments in the details of the patient',
  ],
  ...basedOnAppointments(found),
})
