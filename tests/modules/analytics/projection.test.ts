import { describe, expect, it } from 'vitest'
import type { DomainEvent } from '#eventstore/event.ts'
import {
  analyticsAnswers,
  analyticsAppointments,
  analyticsForms,
  analyticsPatients,
  analyticsVerifications,
} from '#modules/analytics/projection.ts'
import type { AppointmentEvent } from '#modules/appointments/events.ts'
import { type AnyProjection, applyEvent, type Rows } from '#projections/projection.ts'
import { appointment, patientId, practiceId, provider, slot } from '#tests/modules/appointments/fixtures.ts'
import { recordedEvent } from '#tests/support/events.ts'

const at = '2026-11-19T14:00:00.000Z'

function fold(projection: unknown, events: readonly DomainEvent[], sample = false) {
  const rows: Rows = new Map()
  for (const [revision, event] of events.entries())
    applyEvent(
      projection as AnyProjection,
      rows,
      recordedEvent(event, { revision, metadata: { at, practiceId, sample } }),
    )
  return [...rows.values()].filter((row) => row !== null)
}

const nine = slot({ reservation: 1 })
const ten = slot({ reservation: 2, startsAt: '2026-11-20T10:00', duration: 45, provider: 2 })
const about = { appointmentId: appointment(1), patientId }
const booked: AppointmentEvent = {
  type: 'AppointmentBooked',
  data: {
    ...about,
    practiceId,
    slot: nine,
    type: 'consultation',
    reason: null,
    notes: null,
    status: 'scheduled',
    seriesId: null,
    waitlistEntryId: null,
  },
}
const event = (type: string, data: object = {}): DomainEvent => ({ type, data: { ...about, ...data } })
const completed = event('AppointmentCompleted', {
  from: 'in-progress',
  completedAt: '2026-11-20T10:40:00.000Z',
  fee: { cents: 150_00, currency: 'USD' },
})

describe('appointments', () => {
  const row = {
    appointment_id: appointment(1),
    practice_id: practiceId,
    patient_id: patientId,
    type: 'consultation',
    booked_at: at,
    sample: false,
  }

  it('move with their provider and length, and take another type', () => {
    const moved = event('AppointmentRescheduled', { from: nine, to: ten, waitlistEntryId: null })
    const changed = event('AppointmentDetailsChanged', { from: {}, to: { type: 'procedure' } })
    const noted = event('AppointmentDetailsChanged', { from: {}, to: { notes: 'Bring the results' } })
    expect(fold(analyticsAppointments, [booked, moved, changed, noted])).toEqual([
      {
        ...row,
        type: 'procedure',
        provider_id: provider(2),
        starts_at: '2026-11-20T10:00:00.000Z',
        minutes: 45,
        status: 'scheduled',
        completed_at: null,
        fee_cents: null,
      },
    ])
  })

  it('bring in their fee while they are completed, and not after that was taken back', () => {
    expect(fold(analyticsAppointments, [booked, completed])).toMatchObject([
      { ...row, status: 'completed', completed_at: '2026-11-20T10:40:00.000Z', fee_cents: 150_00 },
    ])
    const none = { completed_at: null, fee_cents: null }
    const back = event('AppointmentStatusChanged', { from: 'completed', to: 'waiting' })
    expect(fold(analyticsAppointments, [booked, completed, back])).toMatchObject([{ status: 'waiting', ...none }])
    expect(fold(analyticsAppointments, [booked, completed, event('AppointmentCancelled')])).toMatchObject([
      { status: 'cancelled', ...none },
    ])
  })

  it('of an erased patient have no type', () => {
    const erased = { ...booked, data: { ...booked.data, type: null } }
    expect(fold(analyticsAppointments, [erased, completed])).toMatchObject([{ type: null, status: 'completed' }])
  })

  it('stay counted when they leave the day list, and go with their removal', () => {
    expect(fold(analyticsAppointments, [booked, event('AppointmentRemovedFromDayList')])).toHaveLength(1)
    expect(fold(analyticsAppointments, [booked, event('AppointmentRemoved')])).toEqual([])
    expect(fold(analyticsAppointments, [booked], true)).toMatchObject([{ sample: true }])
    expect(fold(analyticsAppointments, [booked, event('SampleAppointmentKept')], true)).toMatchObject([
      { sample: false },
    ])
  })
})

describe('patients', () => {
  const registered = {
    type: 'PatientRegistered',
    data: { patientId, practiceId, firstName: 'Grace', lastName: 'Liu', dateOfBirth: '1978-03-14' },
  }
  const corrected = (to: object) => ({ type: 'PatientDemographicsCorrected', data: { patientId, from: {}, to } })

  it('keep the instant of registration, and a corrected date of birth', () => {
    expect(fold(analyticsPatients, [registered, corrected({ lastName: 'Li' })])).toEqual([
      {
        patient_id: patientId,
        practice_id: practiceId,
        date_of_birth: '1978-03-14',
        registered_at: at,
        sample: false,
      },
    ])
    expect(fold(analyticsPatients, [registered, corrected({ dateOfBirth: null })])).toMatchObject([
      { date_of_birth: null },
    ])
    expect(fold(analyticsPatients, [registered, { type: 'PatientRemoved', data: { patientId } }])).toEqual([])
  })
})

describe('forms', () => {
  const formId = '018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0009'
  const form = (type: string) => ({ type, data: { formId, practiceId, patientId } })

  it('are submitted once, and have the outcome of the latest analysis', () => {
    expect(fold(analyticsForms, [form('FormAssigned')])).toMatchObject([
      { assigned_at: at, submitted_at: null, analysis: null },
    ])
    const events = ['FormAssigned', 'FormSubmitted', 'FormAnalysisFailed', 'FormAnalyzed', 'FormReviewed'].map(form)
    expect(fold(analyticsForms, events)).toMatchObject([{ submitted_at: at, analysis: 'analyzed' }])
    expect(fold(analyticsForms, events.slice(0, 3))).toMatchObject([{ analysis: 'failed' }])
    const skipped = ['FormAssigned', 'FormSubmitted', 'FormAnalysisSkipped'].map(form)
    expect(fold(analyticsForms, skipped)).toMatchObject([{ analysis: 'skipped' }])
    expect(fold(analyticsForms, [...skipped, form('FormAnalyzed')])).toMatchObject([{ analysis: 'analyzed' }])
  })
})

it('answers about satisfaction are rows, and questions are not', () => {
  const about = { surveyId: '018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0007', practiceId, patientId }
  const planned = { type: 'SurveyPlanned', data: about }
  expect(fold(analyticsAnswers, [planned, { type: 'SurveySent', data: about }])).toEqual([])
  const answered = { type: 'SurveyAnswered', data: { ...about, appointmentId: patientId, score: 4 } }
  expect(fold(analyticsAnswers, [planned, answered])).toEqual([
    {
      survey_id: about.surveyId,
      practice_id: practiceId,
      patient_id: patientId,
      appointment_id: patientId,
      score: 4,
      answered_at: at,
      sample: false,
    },
  ])
})

describe('verifications', () => {
  const verificationId = '018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0008'
  const verification = (type: string) => ({ type, data: { verificationId, practiceId, patientId } })

  it('are decided by a person, and stay so after they expire', () => {
    const rowAfter = (...types: string[]) =>
      fold(analyticsVerifications, ['InsuranceVerificationRequested', ...types].map(verification))
    expect(rowAfter()).toMatchObject([{ status: 'pending', decided: false, requested_at: at }])
    expect(rowAfter('InsuranceExpired')).toMatchObject([{ status: 'expired', decided: false }])
    expect(rowAfter('InsuranceVerified', 'InsuranceExpired')).toMatchObject([{ status: 'expired', decided: true }])
    expect(rowAfter('InsuranceDenied')).toMatchObject([{ status: 'denied', decided: true }])
    expect(rowAfter('InsuranceDenied', 'InsuranceVerificationReopened')).toMatchObject([{ status: 'pending' }])
  })
})
