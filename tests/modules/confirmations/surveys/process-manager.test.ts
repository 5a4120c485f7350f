import { expect, it } from 'vitest'
import type { AppointmentEvent } from '#modules/appointments/events.ts'
import { confirmations } from '#modules/confirmations/module.ts'
import type { SurveyEvent } from '#modules/confirmations/surveys/events.ts'
import { askAboutSatisfaction } from '#modules/confirmations/surveys/process-manager.ts'
import { surveysProjection } from '#modules/confirmations/surveys/projection.ts'
import { applyEvent, type Rows } from '#projections/projection.ts'
import { appointment, patientId, practiceId } from '#tests/modules/appointments/fixtures.ts'
import { requestsOf } from '#tests/modules/appointments/follow-ups.ts'
import { recordedEvent } from '#tests/support/events.ts'
import { answered, planned, sent, survey, surveyId, withdrawn } from './fixtures.ts'

const requests = (event: AppointmentEvent | SurveyEvent, sample = false) =>
  requestsOf(askAboutSatisfaction, confirmations, event, sample)

const completed: AppointmentEvent = {
  type: 'AppointmentCompleted',
  data: {
    appointmentId: appointment(1),
    patientId,
    startsAt: '2026-11-19T14:00:00.000Z',
    from: 'in-progress',
    type: 'consultation',
    fee: { cents: 150_00, currency: 'USD' },
    completedAt: '2026-11-19T14:30:00.000Z',
  },
}

it('plans the question after an appointment that was completed, but not about a sample', () => {
  const request = { job: 'plan-survey', practiceId, appointmentId: appointment(1) }
  expect(requests(completed)).toEqual([expect.objectContaining(request)])
  expect(requests(completed, true)).toEqual([])
})

it('asks at the planned instant, and brings poor answers to the practice', () => {
  expect(requests(planned)).toEqual([expect.objectContaining({ job: 'send-survey', surveyId, after: survey.dueAt })])
  for (const score of [1, 2])
    expect(requests(answered(score))).toEqual([expect.objectContaining({ job: 'follow-up-survey', surveyId })])
  for (const event of [sent, answered(3), answered(5)]) expect(requests(event)).toEqual([])
})

it('keeps in the rows who was asked, and who was not in the end', () => {
  const rows: Rows = new Map()
  for (const [revision, event] of [planned, sent, answered(2)].entries())
    applyEvent(surveysProjection, rows, recordedEvent(event, { revision }))
  expect(rows.get(surveyId)).toMatchObject({ patient_id: patientId, due_at: survey.dueAt, withdrawn: false })
  applyEvent(surveysProjection, rows, recordedEvent(withdrawn, { revision: 1 }))
  expect(rows.get(surveyId)).toMatchObject({ withdrawn: true })
})
