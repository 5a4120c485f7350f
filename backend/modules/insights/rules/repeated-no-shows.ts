import { basedOnPatients, countNoun, type FoundRecords, type Suggestion } from './suggestion.ts'

/** The missed appointments within a year from which on they count as repeated. */
export const minMissed = 2

/** Suggests to call patients who missed several appointments, and have another one. */
export const suggestCallingAhead = (found: FoundRecords): Suggestion => ({
  type: 'alert',
  priority: 'medium',
  title: `${countNoun(found.total, 'patient', 'patients')} with repeated no-shows ${found.total === 1 ? 'has' : 'have'} an upcoming appointment`,
  message: `Each missed at least ${minMissed} appointments within a year.`,
  actionItems: ['Call them a day before', 'Keep a patient of the waitlist in reserve'],
  ...basedOnPatients(found),
})
