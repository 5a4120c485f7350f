import { basedOnPatients, countNoun, type FoundRecords, type Suggestion } from './suggestion.ts'

/** Suggests to ask patients with an upcoming appointment how to reach them. */
export const suggestAskingForContact = (found: FoundRecords): Suggestion => ({
  type: 'recommendation',
  priority: 'medium',
  title: `${countNoun(found.total, 'patient', 'patients')} with an upcoming appointment cannot be reached`,
  message: 'Their records have neither a phone number nor an email.',
  actionItems: ['Ask for a phone number or an email at the next contact'],
  ...basedOnPatients(found),
})
