import { basedOnAppointments, countNoun, type FoundRecords, type Suggestion } from './suggestion.ts'

/** Suggests to call patients whose appointment tomorrow is not confirmed; `flagged` missed another one within a year. */
export const suggestConfirming = (found: FoundRecords): Suggestion => ({
  type: 'alert',
  priority: found.flagged > 0 ? 'high' : 'medium',
  title: `${countNoun(found.total, 'appointment tomorrow is', 'appointments tomorrow are')} not confirmed`,
  message:
    found.flagged > 0
      ? `Among them ${countNoun(found.flagged, 'patient', 'patients')} who missed an appointment this year. A call today keeps the slots filled.`
      : 'A call today keeps the slots filled.',
  actionItems: ['Call the patients who have not confirmed'],
  ...basedOnAppointments(found),
})
