import { defineProjection } from '#projections/projection.ts'
import type { SurveyEvent } from './events.ts'

type SurveyRow = {
  id: string
  practice_id: string
  patient_id: string
  appointment_id: string
  channel: string
  status: 'planned' | 'sent' | 'failed' | 'withdrawn' | 'declined' | 'answered'
  due_at: string
  sent_at: string | null
  score: number | null
  answered_at: string | null
  withdrawn: boolean
  declined: boolean
}

/** The questions about satisfaction of all practices, one row each, from which it follows who was asked lately and who wants no more. */
export const surveysProjection = defineProjection<SurveyEvent, SurveyRow>({
  name: 'surveys',
  version: 3,
  columns: {
    id: 'uuid',
    practice_id: 'uuid',
    patient_id: 'uuid',
    appointment_id: 'uuid',
    channel: 'text',
    status: 'text',
    due_at: 'timestamptz',
    sent_at: 'timestamptz',
    score: 'int4',
    answered_at: 'timestamptz',
    withdrawn: 'bool',
    declined: 'bool',
  },
  key: 'id',
  indexes: ['(practice_id, patient_id, due_at)', '(practice_id, due_at, id)'],
  rowOf: ({ data }) => data.surveyId,
  on: {
    SurveyPlanned: (_, { data: { surveyId, practiceId, patientId, appointmentId, channel, dueAt } }) => ({
      id: surveyId,
      practice_id: practiceId,
      patient_id: patientId,
      appointment_id: appointmentId,
      channel,
      status: 'planned',
      due_at: dueAt,
      sent_at: null,
      score: null,
      answered_at: null,
      withdrawn: false,
      declined: false,
    }),
    SurveySent: (row, { metadata }) => row && { ...row, status: 'sent', sent_at: metadata.at },
    SurveyFailed: (row) => row && { ...row, status: 'failed' },
    SurveyWithdrawn: (row) => row && { ...row, status: 'withdrawn', withdrawn: true },
    SurveyDeclined: (row) => row && { ...row, status: row.score === null ? 'declined' : row.status, declined: true },
    SurveyAnswered: (row, { data: { score }, metadata }) =>
      row && { ...row, status: 'answered', score, answered_at: metadata.at },
  },
})
