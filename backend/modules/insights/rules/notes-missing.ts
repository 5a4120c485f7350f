import { basedOnAppointments, countNoun, type FoundRecords, type Suggestion } from './suggestion.ts'

/** The days after its start in which the note of an appointment is not missed yet, and those after which it is not looked for. */
export const noteDays = { from: 1, until: 14 } as const

/** The days in which a practice has written a document: one that writes elsewhere misses none here. */
export const writingDays = 30

/** Suggests to write the notes of completed appointments whose patients no document was written about since. */
export const suggestWritingNotes = (found: FoundRecords): Suggestion => ({
  type: 'recommendation',
  priority: 'medium',
  title: `${countNoun(found.total, 'completed appointment has', 'completed appointments have')} no note`,
  message: `They were completed in the last ${noteDays.until} days, and nothing was written about their patients since.`,
  actionItems: ['Write the note from the details of the appointment'],
  ...basedOnAppointments(found),
})
