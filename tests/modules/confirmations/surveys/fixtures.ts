import { SurveyId } from '#contracts/values/ids.ts'
import type { Survey } from '#modules/confirmations/surveys/decider.ts'
import type { SurveyEvent } from '#modules/confirmations/surveys/events.ts'
import { appointment, patientId, practiceId, uuid } from '#tests/modules/appointments/fixtures.ts'

export const surveyId = SurveyId.parse(uuid(8, 6))
const about = { surveyId, patientId }

/** The question after an appointment, due on the same evening. */
export const survey: Survey = {
  ...about,
  practiceId,
  appointmentId: appointment(1),
  channel: 'email',
  dueAt: '2026-11-19T18:00:00.000Z',
}

export const planned: SurveyEvent = { type: 'SurveyPlanned', data: survey }
export const sent: SurveyEvent = { type: 'SurveySent', data: { ...about, delivery: 'sent' } }
export const failed: SurveyEvent = { type: 'SurveyFailed', data: { ...about, reason: 'refused' } }
export const withdrawn: SurveyEvent = { type: 'SurveyWithdrawn', data: { ...about, reason: 'off' } }
export const declined: SurveyEvent = { type: 'SurveyDeclined', data: about }
export const answered = (score: number): SurveyEvent => ({
  type: 'SurveyAnswered',
  data: { ...about, practiceId, appointmentId: appointment(1), score },
})
