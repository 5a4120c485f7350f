import { basedOnForms, countNoun, type FoundRecords, type Suggestion } from './suggestion.ts'

/** The days after which a form that is not reviewed waits too long. */
export const maxWaitingDays = 2

/** Suggests to look after forms that wait for answers or a review; `flagged` were handed in. */
export const suggestLookingAfterForms = (found: FoundRecords): Suggestion => ({
  type: 'alert',
  priority: 'medium',
  title: `${countNoun(found.total, 'form has', 'forms have')} been waiting for over ${maxWaitingDays} days`,
  message: `${countNoun(found.flagged, 'form was', 'forms were')} handed in and not reviewed, ${countNoun(found.total - found.flagged, 'waits', 'wait')} for the answers.`,
  actionItems: [
    ...(found.flagged > 0 ? ['Review what was handed in'] : []),
    ...(found.flagged < found.total ? ['Remind the patients to answer'] : []),
  ],
  ...basedOnForms(found),
})
