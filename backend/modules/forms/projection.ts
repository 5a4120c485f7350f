import type { AnalysisResult } from '#contracts/values/forms.ts'
import type { Recorded } from '#eventstore/event.ts'
import { type PatientNameRow, patientNameFolds } from '#modules/patients/names/public.ts'
import type { PatientEvent } from '#modules/patients/events.ts'
import { defineProjection } from '#projections/projection.ts'
import type { FormEvent, StoredAnswer } from './events.ts'

type FormRow = {
  id: string
  practice_id: string
  patient_id: string
  form_type: string
  template_version: number
  title: string | null
  status: string
  answers: readonly StoredAnswer[] | null
  /** The version of the answers. */
  version: number
  submitted_at: string | null
  reviewed_at: string | null
  reviewed_by: string | null
  completed_at: string | null
  /** The latest versions that an analysis was requested for, and whose analysis failed. */
  requested_version: number | null
  failed_version: number | null
  /** The latest version that was not analyzed, because the practice had switched it off. */
  skipped_version: number | null
  analysis: AnalysisResult | null
  analysis_version: number | null
  analyst: string | null
  model: string | null
  analyzed_at: string | null
  finding_count: number
  urgent_count: number
  sample: boolean
  revision: number
  created_at: string
}

type Update = (row: FormRow | null, event: Recorded, changes: Partial<FormRow>) => FormRow | null
const update: Update = (row, { revision }, changes) => row && { ...row, ...changes, revision: Number(revision) }

/** The forms of all practices, one row each. Answers and findings are encrypted. */
export const formsProjection = defineProjection<FormEvent, FormRow>({
  name: 'forms',
  version: 2,
  columns: {
    id: 'uuid',
    practice_id: 'uuid',
    patient_id: 'uuid',
    form_type: 'text',
    template_version: 'int4',
    title: 'text',
    status: 'text',
    answers: 'text',
    version: 'int4',
    submitted_at: 'timestamptz',
    reviewed_at: 'timestamptz',
    reviewed_by: 'uuid',
    completed_at: 'timestamptz',
    requested_version: 'int4',
    failed_version: 'int4',
    skipped_version: 'int4',
    analysis: 'text',
    analysis_version: 'int4',
    analyst: 'text',
    model: 'text',
    analyzed_at: 'timestamptz',
    finding_count: 'int4',
    urgent_count: 'int4',
    sample: 'bool',
    revision: 'int8',
    created_at: 'timestamptz',
  },
  key: 'id',
  sealed: { subject: 'patient_id', columns: ['title', 'answers', 'analysis'] },
  indexes: [
    '(practice_id, created_at, id)',
    '(patient_id, created_at)',
    `(practice_id, submitted_at) where status = 'pending'`,
  ],
  rowOf: ({ data }) => data.formId,
  on: {
    FormAssigned: (_, { data, metadata, revision }) => ({
      id: data.formId,
      practice_id: data.practiceId,
      patient_id: data.patientId,
      form_type: data.formType,
      template_version: data.templateVersion,
      title: data.title,
      status: 'pending',
      answers: null,
      version: 0,
      submitted_at: null,
      reviewed_at: null,
      reviewed_by: null,
      completed_at: null,
      requested_version: null,
      failed_version: null,
      skipped_version: null,
      analysis: null,
      analysis_version: null,
      analyst: null,
      model: null,
      analyzed_at: null,
      finding_count: 0,
      urgent_count: 0,
      sample: metadata.sample,
      revision: Number(revision),
      created_at: metadata.at,
    }),
    FormAnswersSaved: (row, event) => update(row, event, { answers: event.data.answers, version: event.data.version }),
    FormSubmitted: (row, event) =>
      update(row, event, { submitted_at: event.metadata.at, requested_version: event.data.version }),
    FormReviewed: (row, event) =>
      update(row, event, {
        status: 'reviewed',
        reviewed_at: event.metadata.at,
        reviewed_by: event.data.reviewedBy,
      }),
    FormCompleted: (row, event) => update(row, event, { status: 'completed', completed_at: event.metadata.at }),
    FormAnalysisRequested: (row, event) =>
      update(row, event, { requested_version: event.data.version, failed_version: null }),
    FormAnalyzed: (row, event) => {
      const { version, analyst, model, result, findingCount, urgentCount } = event.data
      return update(row, event, {
        analysis: result,
        analysis_version: version,
        analyst,
        model,
        analyzed_at: event.metadata.at,
        finding_count: findingCount,
        urgent_count: urgentCount,
      })
    },
    FormAnalysisFailed: (row, event) => update(row, event, { failed_version: event.data.version }),
    FormAnalysisSkipped: (row, event) =>
      update(row, event, { requested_version: null, skipped_version: event.data.version }),
  },
})

type PatientRow = PatientNameRow & {
  id: string
  practice_id: string
}

/** The names of all patients, removed ones included, whose forms are not shown any more. */
export const formPatientsProjection = defineProjection<PatientEvent, PatientRow>({
  name: 'form_patients',
  version: 1,
  columns: { id: 'uuid', practice_id: 'uuid', first_name: 'text', last_name: 'text', removed: 'bool' },
  key: 'id',
  rowOf: ({ data }) => data.patientId,
  on: {
    ...patientNameFolds,
    PatientRegistered: (_, { data: { patientId, practiceId, firstName, lastName } }) => ({
      id: patientId,
      practice_id: practiceId,
      first_name: firstName,
      last_name: lastName,
      removed: false,
    }),
  },
})
