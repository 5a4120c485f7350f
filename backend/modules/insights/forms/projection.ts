import type { FormEvent } from '#modules/forms/events.ts'
import { defineProjection } from '#projections/projection.ts'

type FormRow = {
  form_id: string
  practice_id: string
  patient_id: string
  /** Neither reviewed nor completed. */
  is_open: boolean
  is_submitted: boolean
  /** Since when it waits: for the answers, and once they are handed in for the review. */
  waiting_since: string
  /** The version of the answers with the latest urgent finding; null without one. */
  urgent_version: number | null
  analyzed_at: string | null
  sample: boolean
}

/** The forms that wait, and when each was analyzed. */
export const insightForms = defineProjection<FormEvent, FormRow>({
  name: 'insight_forms',
  version: 1,
  isMetadataOnly: true,
  columns: {
    form_id: 'uuid',
    practice_id: 'uuid',
    patient_id: 'uuid',
    is_open: 'bool',
    is_submitted: 'bool',
    waiting_since: 'timestamptz',
    urgent_version: 'int4',
    analyzed_at: 'timestamptz',
    sample: 'bool',
  },
  key: 'form_id',
  indexes: [
    '(practice_id, waiting_since) where is_open',
    '(practice_id, waiting_since) where is_open and urgent_version is not null',
    '(practice_id, analyzed_at)',
  ],
  rowOf: ({ data }) => data.formId,
  on: {
    FormAssigned: (_, { data: { formId, practiceId, patientId }, metadata }) => ({
      form_id: formId,
      practice_id: practiceId,
      patient_id: patientId,
      is_open: true,
      is_submitted: false,
      waiting_since: metadata.at,
      urgent_version: null,
      analyzed_at: null,
      sample: metadata.sample,
    }),
    FormSubmitted: (row, { metadata }) => row && { ...row, is_submitted: true, waiting_since: metadata.at },
    FormReviewed: (row) => row && { ...row, is_open: false },
    FormCompleted: (row) => row && { ...row, is_open: false },
    FormAnalyzed: (row, { data: { version, urgentCount }, metadata }) =>
      row && { ...row, urgent_version: urgentCount > 0 ? version : null, analyzed_at: metadata.at },
    FormAnswersSaved: 'ignore',
    FormAnalysisRequested: 'ignore',
    FormAnalysisFailed: 'ignore',
    FormAnalysisSkipped: 'ignore',
  },
})
