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

type PatientRow = {
  patient_id: string
  practice_id: string
  living: boolean
  appointments: Readonly<Record<string, PatientAppointment>>
  /** The start of the last kept appointment, past or upcoming; an ISO instant in UTC. */
  last_appointment: string | null
  /** The same without sample appointments. */
  last_own_appointment: string | null
}

const isKept = (status: AppointmentStatus) => status !== 'cancelled' && status !== 'no-show'

function withAppointments(row: PatientRow, appointments: PatientRow['appointments']): PatientRow {
  const kept = Object.values(appointments).filter((appointment) => appointment.kept)
  const findLast = (among: readonly PatientAppointment[]) =>
    among
      .map(({ at }) => at)
      .toSorted()
      .at(-1) ?? null
  return {
    ...row,
    appointments,
    last_appointment: findLast(kept),
    last_own_appointment: findLast(kept.filter(({ sample }) => !sample)),
  }
}

/** Returns the row after a change of one of the patient's appointments; null for a patient who was removed. */
function changeAppointment(
  row: PatientRow | null,
  appointmentId: string,
  change: Partial<PatientAppointment>,
): PatientRow | null {
  const before = row?.appointments[appointmentId]
  return row && before ? withAppointments(row, { ...row.appointments, [appointmentId]: { ...before, ...change } }) : row
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
      row &&
      withAppointments(row, {
        ...row.appointments,
        [appointmentId]: { at: slot.startsAt, kept: isKept(status), sample: metadata.sample },
      }),
    AppointmentRescheduled: (row, { data: { appointmentId, to } }) =>
      changeAppointment(row, appointmentId, { at: to.startsAt }),
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
