import { basedOnPatients, countNoun, type FoundRecords, type Suggestion } from './suggestion.ts'

/** Suggests to compare records of patients with the same name and birth date. */
export const suggestComparing = (found: FoundRecords): Suggestion => ({
  type: 'recommendation',
  priority: 'low',
  title: `${countNoun(found.total, 'record', 'records')} may be of the same patients`,
  message: 'Each has the name and the birth date of another record.',
  actionItems: ['Compare the records, and keep one for each patient'],
  ...basedOnPatients(found),
})
