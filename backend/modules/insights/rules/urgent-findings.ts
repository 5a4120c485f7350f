import { basedOnForms, countNoun, type FoundRecords, type Suggestion } from './suggestion.ts'

/** Suggests to review forms whose analysis has an urgent finding. */
export const suggestUrgentReview = (found: FoundRecords): Suggestion => ({
  type: 'alert',
  priority: 'high',
  title: `${countNoun(found.total, 'form has', 'forms have')} an urgent finding`,
  message: 'The analysis found something urgent in the answers, and the review is still open.',
  actionItems: ['Review these forms first'],
  ...basedOnForms(found),
})
