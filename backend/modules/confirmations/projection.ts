import type { Recorded } from '#eventstore/event.ts'
import { type PatientNameRow, patientNameFolds } from '#modules/patients/names/public.ts'
import type { PatientEvent } from '#modules/patients/events.ts'
import { defineProjection } from '#projections/projection.ts'
import type { ConfirmationEvent, ConfirmationSettingsChanged } from './events.ts'

type ConfirmationRow = {
  id: string
  practice_id: string
  patient_id: string
  appointment_id: string
  channel: string
  starts_at: string
  due_at: string
  status: string
  attempts: number
  sent_at: string | null
  delivery: string | null
  answered_at: string | null
  failure: string | null
  closed: string | null
}

/** The confirmations of all practices, one row each. */
export const confirmationsProjection = defineProjection<ConfirmationEvent, ConfirmationRow>({
  name: 'confirmations',
  version: 2,
  columns: {
    id: 'uuid',
    practice_id: 'uuid',
    patient_id: 'uuid',
    appointment_id: 'uuid',
    channel: 'text',
    starts_at: 'timestamptz',
    due_at: 'timestamptz',
    status: 'text',
    attempts: 'int4',
    sent_at: 'timestamptz',
    delivery: 'text',
    answered_at: 'timestamptz',
    failure: 'text',
    closed: 'text',
  },
  key: 'id',
  indexes: ['(practice_id, starts_at, id)', '(practice_id, status, starts_at, id)', '(appointment_id)'],
  rowOf: ({ data }) => data.confirmationId,
  on: {
    ConfirmationPlanned: (_, { data }) => ({
      id: data.confirmationId,
      practice_id: data.practiceId,
      patient_id: data.patientId,
      appointment_id: data.appointmentId,
      channel: data.channel,
      starts_at: data.startsAt,
      due_at: data.dueAt,
      status: 'pending',
      attempts: 0,
      sent_at: null,
      delivery: null,
      answered_at: null,
      failure: null,
      closed: null,
    }),
    ConfirmationReplanned: (row, { data }) => row && { ...row, status: 'pending', due_at: data.dueAt },
    ConfirmationSent: (row, { data, metadata }) =>
      row && {
        ...row,
        status: 'sent',
        sent_at: metadata.at,
        delivery: data.delivery,
        attempts: data.attempt,
        failure: null,
      },
    ConfirmationFailed: (row, { data }) =>
      row && { ...row, status: 'failed', failure: data.reason, attempts: data.attempt },
    ConfirmationWithdrawn: (row) => row && { ...row, status: 'withdrawn' },
    ConfirmationClosed: (row, { data }) => row && { ...row, closed: data.reason },
    ConfirmationResendRequested: (row, { data }) => row && { ...row, status: 'pending', due_at: data.dueAt },
    ConfirmationAnswered: (row, { data, metadata }) => row && { ...row, status: data.answer, answered_at: metadata.at },
  },
})

type SettingsRow = {
  practice_id: string
  reminder_type: string
  reminder_timing: string
  auto_reschedule: boolean
  offer_freed_slots: boolean
  ask_satisfaction: boolean
  language: string
  custom_message: string | null
}

/** The settings of the practices that have saved some. */
export const confirmationSettingsProjection = defineProjection<ConfirmationSettingsChanged, SettingsRow>({
  name: 'confirmation_settings',
  version: 4,
  columns: {
    practice_id: 'uuid',
    reminder_type: 'text',
    reminder_timing: 'text',
    auto_reschedule: 'bool',
    offer_freed_slots: 'bool',
    ask_satisfaction: 'bool',
    language: 'text',
    custom_message: 'text',
  },
  key: 'practice_id',
  rowOf: ({ data }) => data.practiceId,
  on: {
    ConfirmationSettingsChanged: (_, { data }) => ({
      practice_id: data.practiceId,
      reminder_type: data.reminderType,
      reminder_timing: data.reminderTiming,
      auto_reschedule: data.autoReschedule,
      offer_freed_slots: data.offerFreedSlots ?? false,
      ask_satisfaction: data.askSatisfaction ?? false,
      language: data.language ?? 'en',
      custom_message: data.customMessage,
    }),
  },
})

type PatientRow = PatientNameRow & {
  id: string
  practice_id: string
  /** E.164. */
  phone: string | null
  email: string | null
  deceased_on: string | null
}

type Of<Type> = Extract<PatientEvent, { type: Type }>

const changeContact = (row: PatientRow | null, { data: { to } }: Recorded<Of<'PatientContactChanged'>>) =>
  row && {
    ...row,
    ...(to.phone === undefined ? {} : { phone: to.phone }),
    ...(to.email === undefined ? {} : { email: to.email }),
  }

/** The names of all patients and how they are reached, removed ones included. */
export const confirmationPatientsProjection = defineProjection<PatientEvent, PatientRow>({
  name: 'confirmation_patients',
  version: 2,
  columns: {
    id: 'uuid',
    practice_id: 'uuid',
    first_name: 'text',
    last_name: 'text',
    phone: 'text',
    email: 'text',
    removed: 'bool',
    deceased_on: 'date',
  },
  key: 'id',
  // The number of a text message that a patient sends.
  indexes: ['(phone) where phone is not null'],
  rowOf: ({ data }) => data.patientId,
  on: {
    ...patientNameFolds,
    PatientRegistered: (_, { data }) => ({
      id: data.patientId,
      practice_id: data.practiceId,
      first_name: data.firstName,
      last_name: data.lastName,
      phone: data.phone,
      email: data.email,
      removed: false,
      deceased_on: data.deceasedOn,
    }),
    PatientContactChanged: changeContact,
    PatientRemoved: (row) => row && { ...row, phone: null, email: null, removed: true },
    PatientDeathRecorded: (row, { data }) => row && { ...row, deceased_on: data.deceasedOn },
    PatientDeathCorrected: (row, { data }) => row && { ...row, deceased_on: data.to },
  },
})
