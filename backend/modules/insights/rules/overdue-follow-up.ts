import { basedOnPatients, countNoun, type FoundRecords, type Suggestion } from './suggestion.ts'

/** Suggests to offer a check-up to patients who were last seen over a year ago and have no appointment. */
export const suggestFollowUp = (found: FoundRecords): Suggestion => ({
  type: 'recommendation',
  priority: 'low',
  title: `${countNoun(found.total, 'patient has', 'patients have')} not been seen for over a year`,
  message: 'None of their appointments is booked.',
  actionItems: ['Offer them a check-up'],
  ...basedOnPatients(found),
})
