import type { Recorded } from '#eventstore/event.ts'
import { type PatientNameRow, patientNameFolds } from '#modules/patients/names/public.ts'
import type { PatientEvent } from '#modules/patients/events.ts'
import { defineProjection } from '#projections/projection.ts'
import type { ScheduleEvent, Slot } from '#modules/schedule/events.ts'
import type { AppointmentEvent } from './events.ts'

type AppointmentRow = {
  id: string
  practice_id: string
  patient_id: string
  provider_id: string
  starts_at: string
  ends_at: string
  duration: number
  type: string
  status: string
  status_since: string
  /** The day list shows it; a cancelled appointment struck through. */
  on_day_list: boolean
  reason: string | null
  notes: string | null
  overlap: boolean
  series_id: string | null
  fee_cents: number | null
  currency: string | null
  completed_at: string | null
  sample: boolean
  /** A user has changed it; changes by our own processes do not count. */
  edited: boolean
  revision: number
  created_at: string
  updated_at: string
}

type Update = (row: AppointmentRow | null, event: Recorded, changes: Partial<AppointmentRow>) => AppointmentRow | null
const update: Update = (row, { revision, metadata }, changes) =>
  row && {
    ...row,
    ...changes,
    edited: row.edited || metadata.actor.kind === 'user',
    revision: Number(revision),
    updated_at: metadata.at,
  }

const notCompleted = { fee_cents: null, currency: null, completed_at: null }

const slotColumns = ({ providerId, startsAt, duration, overlaps }: Slot) => ({
  provider_id: providerId,
  starts_at: startsAt,
  ends_at: new Date(Date.parse(startsAt) + duration * 60_000).toISOString(),
  duration,
  overlap: overlaps.length > 0,
})

/** The appointments of all practices, one row each, whether a day list shows them or not. */
export const appointmentsProjection = defineProjection<AppointmentEvent, AppointmentRow>({
  name: 'appointments',
  version: 4,
  columns: {
    id: 'uuid',
    practice_id: 'uuid',
    patient_id: 'uuid',
    provider_id: 'uuid',
    starts_at: 'timestamptz',
    ends_at: 'timestamptz',
    duration: 'int4',
    type: 'text',
    status: 'text',
    status_since: 'timestamptz',
    on_day_list: 'bool',
    reason: 'text',
    notes: 'text',
    overlap: 'bool',
    series_id: 'uuid',
    fee_cents: 'int4',
    currency: 'text',
    completed_at: 'timestamptz',
    sample: 'bool',
    edited: 'bool',
    revision: 'int8',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
  },
  key: 'id',
  sealed: { subject: 'patient_id', columns: ['reason', 'notes'] },
  indexes: [
    '(practice_id, starts_at)',
    '(provider_id, starts_at)',
    '(patient_id, starts_at)',
    '(practice_id, completed_at) where completed_at is not null',
    '(series_id, starts_at) where series_id is not null',
    `(practice_id, starts_at) include (patient_id, sample) where status = 'no-show'`,
  ],
  rowOf: ({ data }) => data.appointmentId,
  on: {
    AppointmentBooked: (_, { data, metadata, revision }) => ({
      id: data.appointmentId,
      practice_id: data.practiceId,
      patient_id: data.patientId,
      ...slotColumns(data.slot),
      type: data.type,
      status: data.status,
      status_since: metadata.at,
      on_day_list: true,
      reason: data.reason,
      notes: data.notes,
      series_id: data.seriesId,
      ...notCompleted,
      sample: metadata.sample,
      edited: false,
      revision: Number(revision),
      created_at: metadata.at,
      updated_at: metadata.at,
    }),
    AppointmentRescheduled: (row, event) => update(row, event, slotColumns(event.data.to)),
    AppointmentDetailsChanged: (row, event) => {
      const { type, reason, notes } = event.data.to
      return update(row, event, {
        ...(type === undefined ? {} : { type }),
        ...(reason === undefined ? {} : { reason }),
        ...(notes === undefined ? {} : { notes }),
      })
    },
    AppointmentStatusChanged: (row, event) =>
      update(row, event, { status: event.data.to, status_since: event.metadata.at, ...notCompleted }),
    AppointmentCompleted: (row, event) => {
      const { fee, completedAt } = event.data
      const completed = { fee_cents: fee.cents, currency: fee.currency, completed_at: completedAt }
      return update(row, event, { status: 'completed', status_since: event.metadata.at, ...completed })
    },
    AppointmentCancelled: (row, event) => {
      const cancelled = { status: 'cancelled', status_since: event.metadata.at, ...notCompleted }
      return update(row, event, { ...cancelled, on_day_list: event.data.isOnDayList })
    },
    AppointmentRemovedFromDayList: (row, event) => update(row, event, { on_day_list: false }),
    AppointmentRemoved: () => null,
    SampleAppointmentKept: (row, event) => update(row, event, { sample: false }),
  },
})

type PatientRow = PatientNameRow & {
  id: string
  practice_id: string
  /** YYYY-MM-DD. */
  deceased_on: string | null
}

/** The names and dates of death of all patients, removed ones included: their past appointments are still shown. */
export const appointmentPatientsProjection = defineProjection<PatientEvent, PatientRow>({
  name: 'appointment_patients',
  version: 2,
  columns: {
    id: 'uuid',
    practice_id: 'uuid',
    first_name: 'text',
    last_name: 'text',
    removed: 'bool',
    deceased_on: 'date',
  },
  key: 'id',
  rowOf: ({ data }) => data.patientId,
  on: {
    ...patientNameFolds,
    PatientRegistered: (_, { data: { patientId, practiceId, firstName, lastName, deceasedOn } }) => ({
      id: patientId,
      practice_id: practiceId,
      first_name: firstName,
      last_name: lastName,
      removed: false,
      deceased_on: deceasedOn,
    }),
    PatientDeathRecorded: (row, { data }) => row && { ...row, deceased_on: data.deceasedOn },
    PatientDeathCorrected: (row, { data }) => row && { ...row, deceased_on: data.to },
  },
})

type PendingReservationRow = { id: string; provider_id: string; starts_at: string; ends_at: string }
type PendingReservationEvent = Extract<
  ScheduleEvent | AppointmentEvent,
  {
    type:
      | 'SlotReservedForBooking'
      | 'SlotReservedForMove'
      | 'SlotReleased'
      | 'AppointmentBooked'
      | 'AppointmentRescheduled'
  }
>

function toPendingReservation(slot: Slot): PendingReservationRow {
  const { provider_id, starts_at, ends_at } = slotColumns(slot)
  return { id: slot.reservationId, provider_id, starts_at, ends_at }
}

/** The reserved slots that no appointment has adopted yet: for a moment in each booking, longer after a crash. */
export const pendingReservationsProjection = defineProjection<PendingReservationEvent, PendingReservationRow>({
  name: 'pending_reservations',
  version: 1,
  isMetadataOnly: true,
  columns: { id: 'uuid', provider_id: 'uuid', starts_at: 'timestamptz', ends_at: 'timestamptz' },
  key: 'id',
  rowOf({ type, data }) {
    if (type === 'SlotReleased') return data.reservationId
    return type === 'AppointmentRescheduled' ? data.to.reservationId : data.slot.reservationId
  },
  on: {
    SlotReservedForBooking: (_, { data }) => toPendingReservation(data.slot),
    SlotReservedForMove: (_, { data }) => toPendingReservation(data.slot),
    SlotReleased: () => null,
    AppointmentBooked: () => null,
    AppointmentRescheduled: () => null,
  },
})
