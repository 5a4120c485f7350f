import type { AppointmentStatus } from '#contracts/values/appointments.ts'
import type { AppointmentEvent } from '#modules/appointments/events.ts'
import { patientDetailEvents, type PatientEvent } from '#modules/patients/events.ts'
import { defineProjection, mapEvents } from '#projections/projection.ts'

type AppointmentRow = {
  appointment_id: string
  practice_id: string
  patient_id: string
  /** An ISO instant in UTC. */
  starts_at: string
  status: string
  /** True while the day list shows it; a cancelled appointment may stay on it, struck through. */
  on_day_list: boolean
  sample: boolean
}

/** The appointments from which insights are counted. */
export const insightAppointments = defineProjection<AppointmentEvent, AppointmentRow>({
  name: 'insight_appointments',
  version: 2,
  columns: {
    appointment_id: 'uuid',
    practice_id: 'uuid',
    patient_id: 'uuid',
    starts_at: 'timestamptz',
    status: 'text',
    on_day_list: 'bool',
    sample: 'bool',
  },
  key: 'appointment_id',
  indexes: ['(practice_id, starts_at)', '(patient_id, starts_at)'],
  rowOf: ({ data }) => data.appointmentId,
  on: {
    AppointmentBooked: (_, { data: { appointmentId, practiceId, patientId, slot, status }, metadata }) => ({
      appointment_id: appointmentId,
      practice_id: practiceId,
      patient_id: patientId,
      starts_at: slot.startsAt,
      status,
      on_day_list: true,
      sample: metadata.sample,
    }),
    AppointmentRescheduled: (row, { data: { to } }) => row && { ...row, starts_at: to.startsAt },
    AppointmentStatusChanged: (row, { data: { to } }) => row && { ...row, status: to },
    AppointmentCompleted: (row) => row && { ...row, status: 'completed' },
    AppointmentCancelled: (row, { data: { isOnDayList } }) =>
      row && { ...row, status: 'cancelled', on_day_list: isOnDayList },
    AppointmentRemovedFromDayList: (row) => row && { ...row, on_day_list: false },
    AppointmentRemoved: () => null,
    SampleAppointmentKept: (row) => row && { ...row, sample: false },
    AppointmentDetailsChanged: 'ignore',
  },
})

/** An appointment as it counts for its patient; `at` is its start. `kept`: neither cancelled nor missed. */
type PatientAppointment = { at: string; kept: boolean; sample: boolean }

/** Starts of last appointments: ISO instants in UTC, null without any. `own`: without sample appointments. */
type LastAppointments = { all: string | null; own: string | null }

type PatientRow = {
  patient_id: string
  practice_id: string
  living: boolean
  /** The latest appointments by id, at most `maxAppointments`. */
  appointments: Readonly<Record<string, PatientAppointment>>
  /** The last kept ones among those before them. */
  earlier: LastAppointments
  /** The start of the last kept appointment, past or upcoming. */
  last_appointment: string | null
  last_own_appointment: string | null
}

/**
 * Appointments that a row holds, so that it stays small for a patient with thousands. An earlier one counts as it was when it
 * was left out: it matters only after all of these were cancelled or missed.
 */
const maxAppointments = 20

const isKept = (status: AppointmentStatus) => status !== 'cancelled' && status !== 'no-show'

/** Returns the later of two starts. */
const later = (one: string | null, other: string | null) => ((one ?? '') > (other ?? '') ? one : other)

function withLast(last: LastAppointments, { at, kept, sample }: PatientAppointment): LastAppointments {
  if (!kept) return last
  return { all: later(last.all, at), own: sample ? last.own : later(last.own, at) }
}

function withAppointments(row: PatientRow, appointments: PatientRow['appointments']): PatientRow {
  const latestFirst = Object.entries(appointments).toSorted(([, one], [, other]) => (one.at < other.at ? 1 : -1))
  const listed = latestFirst.slice(0, maxAppointments)
  const left = latestFirst.slice(maxAppointments).map(([, appointment]) => appointment)
  const earlier = left.reduce(withLast, row.earlier)
  const last = listed.map(([, appointment]) => appointment).reduce(withLast, earlier)
  return {
    ...row,
    appointments: Object.fromEntries(listed),
    earlier,
    last_appointment: last.all,
    last_own_appointment: last.own,
  }
}

/** Returns the row with a new or changed appointment; null for a patient who was removed. */
const setAppointment = (row: PatientRow | null, appointmentId: string, appointment: PatientAppointment) =>
  row && withAppointments(row, { ...row.appointments, [appointmentId]: appointment })

/** Returns the row after a change of a listed appointment. */
function changeAppointment(
  row: PatientRow | null,
  appointmentId: string,
  change: Partial<PatientAppointment>,
): PatientRow | null {
  const before = row?.appointments[appointmentId]
  return before ? setAppointment(row, appointmentId, { ...before, ...change }) : row
}

/**
 * The patients with their last appointment. It is stored, because finding it among all appointments would take longer with
 * every year that a practice exists, and every look at the dashboard needs it.
 */
export const insightPatients = defineProjection<PatientEvent | AppointmentEvent, PatientRow>({
  name: 'insight_patients',
  version: 1,
  columns: {
    patient_id: 'uuid',
    practice_id: 'uuid',
    living: 'bool',
    appointments: 'jsonb',
    earlier: 'jsonb',
    last_appointment: 'timestamptz',
    last_own_appointment: 'timestamptz',
  },
  key: 'patient_id',
  // The dead are not reminded of a check-up.
  indexes: ['(practice_id, last_appointment) where living', '(practice_id, last_own_appointment) where living'],
  rowOf: ({ data }) => data.patientId,
  on: {
    PatientRegistered: (_, { data: { patientId, practiceId, deceasedOn } }) => ({
      patient_id: patientId,
      practice_id: practiceId,
      living: deceasedOn === null,
      appointments: {},
      earlier: { all: null, own: null },
      last_appointment: null,
      last_own_appointment: null,
    }),
    PatientDeathRecorded: (row) => row && { ...row, living: false },
    PatientDeathCorrected: (row, { data: { to } }) => row && { ...row, living: to === null },
    PatientRemoved: () => null,
    PatientDemographicsCorrected: 'ignore',
    PatientContactChanged: 'ignore',
    ...mapEvents(patientDetailEvents, 'ignore'),
    SamplePatientKept: 'ignore',
    AppointmentBooked: (row, { data: { appointmentId, slot, status }, metadata }) =>
      setAppointment(row, appointmentId, { at: slot.startsAt, kept: isKept(status), sample: metadata.sample }),
    // An appointment that was left out counts again when it moves.
    AppointmentRescheduled: (row, { data: { appointmentId, to }, metadata }) =>
      setAppointment(row, appointmentId, {
        kept: true,
        sample: metadata.sample,
        ...row?.appointments[appointmentId],
        at: to.startsAt,
      }),
    AppointmentStatusChanged: (row, { data: { appointmentId, to } }) =>
      changeAppointment(row, appointmentId, { kept: isKept(to) }),
    AppointmentCompleted: (row, { data: { appointmentId } }) => changeAppointment(row, appointmentId, { kept: true }),
    AppointmentCancelled: (row, { data: { appointmentId } }) => changeAppointment(row, appointmentId, { kept: false }),
    AppointmentRemoved: (row, { data: { appointmentId } }) => {
      if (!row) return row
      const { [appointmentId]: _, ...others } = row.appointments
      return withAppointments(row, others)
    },
    SampleAppointmentKept: (row, { data: { appointmentId } }) =>
      changeAppointment(row, appointmentId, { sample: false }),
    AppointmentDetailsChanged: 'ignore',
    AppointmentRemovedFromDayList: 'ignore',
  },
})
