import type { AppointmentEvent } from '#modules/appointments/events.ts'
import type { SurveyEvent } from '#modules/confirmations/surveys/events.ts'
import type { FormEvent } from '#modules/forms/events.ts'
import type { InsuranceEvent } from '#modules/insurance/events.ts'
import { patientDetailEvents, type PatientEvent } from '#modules/patients/events.ts'
import { defineProjection, mapEvents } from '#projections/projection.ts'
import { appointmentTotals } from './daily-totals.ts'

type AppointmentRow = {
  appointment_id: string
  practice_id: string
  patient_id: string
  provider_id: string
  /** Null for an erased patient. */
  type: string | null
  /** An ISO instant in UTC. The date is computed at query time, because the practice's time zone may change. */
  starts_at: string
  booked_at: string
  minutes: number
  status: string
  completed_at: string | null
  fee_cents: number | null
  sample: boolean
}

/** Every appointment as the figures count it; one that was taken off its day list counts as cancelled. */
export const analyticsAppointments = defineProjection<AppointmentEvent, AppointmentRow>({
  name: 'analytics_appointments',
  version: 4,
  columns: {
    appointment_id: 'uuid',
    practice_id: 'uuid',
    patient_id: 'uuid',
    provider_id: 'uuid',
    type: 'text',
    starts_at: 'timestamptz',
    booked_at: 'timestamptz',
    minutes: 'int4',
    status: 'text',
    completed_at: 'timestamptz',
    fee_cents: 'int4',
    sample: 'bool',
  },
  key: 'appointment_id',
  indexes: [
    '(practice_id, starts_at) include (status, minutes, type, provider_id, sample)',
    '(practice_id, completed_at) include (fee_cents, type, provider_id, sample) where completed_at is not null',
  ],
  totals: appointmentTotals,
  rowOf: ({ data }) => data.appointmentId,
  on: {
    AppointmentBooked: (_, { data: { appointmentId, practiceId, patientId, slot, type, status }, metadata }) => ({
      appointment_id: appointmentId,
      practice_id: practiceId,
      patient_id: patientId,
      provider_id: slot.providerId,
      type,
      starts_at: slot.startsAt,
      booked_at: metadata.at,
      minutes: slot.duration,
      status,
      completed_at: null,
      fee_cents: null,
      sample: metadata.sample,
    }),
    AppointmentRescheduled: (row, { data: { to } }) =>
      row && { ...row, provider_id: to.providerId, starts_at: to.startsAt, minutes: to.duration },
    AppointmentDetailsChanged: (row, { data: { to } }) => row && { ...row, type: to.type ?? row.type },
    AppointmentCompleted: (row, { data: { completedAt, fee } }) =>
      row && { ...row, status: 'completed', completed_at: completedAt, fee_cents: fee.cents },
    AppointmentStatusChanged: (row, { data: { to } }) =>
      row && { ...row, status: to, completed_at: null, fee_cents: null },
    AppointmentCancelled: (row) => row && { ...row, status: 'cancelled', completed_at: null, fee_cents: null },
    AppointmentRemoved: () => null,
    SampleAppointmentKept: (row) => row && { ...row, sample: false },
    AppointmentRemovedFromDayList: 'ignore',
  },
})

type PatientRow = {
  patient_id: string
  practice_id: string
  date_of_birth: string | null
  gender: string | null
  registered_at: string
  sample: boolean
}

/** Every patient of a practice, with the instant of registration. */
export const analyticsPatients = defineProjection<PatientEvent, PatientRow>({
  name: 'analytics_patients',
  version: 2,
  columns: {
    patient_id: 'uuid',
    practice_id: 'uuid',
    date_of_birth: 'date',
    gender: 'text',
    registered_at: 'timestamptz',
    sample: 'bool',
  },
  key: 'patient_id',
  indexes: ['(practice_id, registered_at) include (sample)'],
  rowOf: ({ data }) => data.patientId,
  on: {
    PatientRegistered: (_, { data: { patientId, practiceId, dateOfBirth, gender }, metadata }) => ({
      patient_id: patientId,
      practice_id: practiceId,
      date_of_birth: dateOfBirth,
      gender,
      registered_at: metadata.at,
      sample: metadata.sample,
    }),
    PatientDemographicsCorrected: (row, { data: { to } }) =>
      row && {
        ...row,
        ...(to.dateOfBirth === undefined ? {} : { date_of_birth: to.dateOfBirth }),
        ...(to.gender === undefined ? {} : { gender: to.gender }),
      },
    PatientRemoved: () => null,
    SamplePatientKept: (row) => row && { ...row, sample: false },
    PatientContactChanged: 'ignore',
    ...mapEvents(patientDetailEvents, 'ignore'),
    PatientDeathRecorded: 'ignore',
    PatientDeathCorrected: 'ignore',
  },
})

type FormRow = {
  form_id: string
  practice_id: string
  patient_id: string
  assigned_at: string
  submitted_at: string | null
  /** The outcome of the latest analysis; null before it. */
  analysis: 'analyzed' | 'failed' | 'skipped' | null
  sample: boolean
}

/** Every form as the figures count it. */
export const analyticsForms = defineProjection<FormEvent, FormRow>({
  name: 'analytics_forms',
  version: 2,
  isMetadataOnly: true,
  columns: {
    form_id: 'uuid',
    practice_id: 'uuid',
    patient_id: 'uuid',
    assigned_at: 'timestamptz',
    submitted_at: 'timestamptz',
    analysis: 'text',
    sample: 'bool',
  },
  key: 'form_id',
  indexes: ['(practice_id, assigned_at) include (submitted_at, analysis, sample)'],
  rowOf: ({ data }) => data.formId,
  on: {
    FormAssigned: (_, { data: { formId, practiceId, patientId }, metadata }) => ({
      form_id: formId,
      practice_id: practiceId,
      patient_id: patientId,
      assigned_at: metadata.at,
      submitted_at: null,
      analysis: null,
      sample: metadata.sample,
    }),
    FormSubmitted: (row, { metadata }) => row && { ...row, submitted_at: row.submitted_at ?? metadata.at },
    FormAnalyzed: (row) => row && { ...row, analysis: 'analyzed' },
    FormAnalysisFailed: (row) => row && { ...row, analysis: 'failed' },
    FormAnalysisSkipped: (row) => row && { ...row, analysis: row.analysis ?? 'skipped' },
    FormAnswersSaved: 'ignore',
    FormReviewed: 'ignore',
    FormCompleted: 'ignore',
    FormAnalysisRequested: 'ignore',
  },
})

type VerificationRow = {
  verification_id: string
  practice_id: string
  patient_id: string
  /** The name of the insurer; null for an erased patient. */
  insurer: string | null
  requested_at: string
  status: 'pending' | 'verified' | 'denied' | 'expired'
  /** True once a person has verified or denied it. */
  decided: boolean
  sample: boolean
}

const setStatus =
  (status: VerificationRow['status'], isDecision = false) =>
  (row: VerificationRow | null): VerificationRow | null =>
    row && { ...row, status, decided: row.decided || isDecision }

/** Every verification of insurance as the figures count it. */
export const analyticsVerifications = defineProjection<InsuranceEvent, VerificationRow>({
  name: 'analytics_verifications',
  version: 2,
  columns: {
    verification_id: 'uuid',
    practice_id: 'uuid',
    patient_id: 'uuid',
    insurer: 'text',
    requested_at: 'timestamptz',
    status: 'text',
    decided: 'bool',
    sample: 'bool',
  },
  key: 'verification_id',
  indexes: ['(practice_id, requested_at) include (decided, sample)'],
  rowOf: ({ data }) => data.verificationId,
  on: {
    InsuranceVerificationRequested: (_, { data, metadata }) => ({
      verification_id: data.verificationId,
      practice_id: data.practiceId,
      patient_id: data.patientId,
      insurer: data.insuranceProvider,
      requested_at: metadata.at,
      status: 'pending',
      decided: false,
      sample: metadata.sample,
    }),
    InsuranceVerified: setStatus('verified', true),
    InsuranceDenied: setStatus('denied', true),
    InsuranceExpired: setStatus('expired'),
    InsuranceVerificationReopened: setStatus('pending'),
    InsuranceVerificationChanged: (row, { data: { to } }) =>
      row && (to.insuranceProvider === undefined ? row : { ...row, insurer: to.insuranceProvider }),
  },
})

type AnswerRow = {
  survey_id: string
  practice_id: string
  patient_id: string
  appointment_id: string
  score: number
  answered_at: string
  sample: boolean
}

/** Every answer of a patient about satisfaction. */
export const analyticsAnswers = defineProjection<SurveyEvent, AnswerRow>({
  name: 'analytics_answers',
  version: 1,
  columns: {
    survey_id: 'uuid',
    practice_id: 'uuid',
    patient_id: 'uuid',
    appointment_id: 'uuid',
    score: 'int4',
    answered_at: 'timestamptz',
    sample: 'bool',
  },
  key: 'survey_id',
  indexes: ['(practice_id, answered_at) include (score, appointment_id, sample)'],
  rowOf: ({ data }) => data.surveyId,
  on: {
    SurveyAnswered: (_, { data: { surveyId, practiceId, patientId, appointmentId, score }, metadata }) => ({
      survey_id: surveyId,
      practice_id: practiceId,
      patient_id: patientId,
      appointment_id: appointmentId,
      score,
      answered_at: metadata.at,
      sample: metadata.sample,
    }),
    SurveyPlanned: 'ignore',
    SurveySent: 'ignore',
    SurveyFailed: 'ignore',
    SurveyWithdrawn: 'ignore',
    SurveyDeclined: 'ignore',
  },
})
