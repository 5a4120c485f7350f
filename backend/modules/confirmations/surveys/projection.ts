import { defineProjection } from '#projections/projection.ts'
import type { SurveyEvent } from './events.ts'

type SurveyRow = {
  id: string
  practice_id: string
  patient_id: string
  due_at: string
  withdrawn: boolean
  declined: boolean
}

/** The questions about satisfaction of all practices, one row each, from which it follows who was asked lately and who wants no more. */
export const surveysProjection = defineProjection<SurveyEvent, SurveyRow>({
  name: 'surveys',
  version: 2,
  columns: {
    id: 'uuid',
    practice_id: 'uuid',
    patient_id: 'uuid',
    due_at: 'timestamptz',
    withdrawn: 'bool',
    declined: 'bool',
  },
  key: 'id',
  indexes: ['(practice_id, patient_id, due_at)'],
  rowOf: ({ data }) => data.surveyId,
  on: {
    SurveyPlanned: (_, { data: { surveyId, practiceId, patientId, dueAt } }) => ({
      id: surveyId,
      practice_id: practiceId,
      patient_id: patientId,
      due_at: dueAt,
      withdrawn: false,
      declined: false,
    }),
    SurveyWithdrawn: (row) => row && { ...row, withdrawn: true },
    SurveyDeclined: (row) => row && { ...row, declined: true },
    SurveySent: 'ignore',
    SurveyFailed: 'ignore',
    SurveyAnswered: 'ignore',
  },
})
