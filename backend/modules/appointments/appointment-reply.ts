import type { Appointment } from '#contracts/appointments.ts'
import { notFound } from '#http/problems.ts'
import { toLocalDateTime } from '#contracts/values/calendar.ts'
import { currentRow } from '#modules/kit/current-row.ts'
import { addMinutes } from '#modules/kit/local-time.ts'
import type { Services } from '#modules/module.ts'
import { findPatient } from '#modules/patients/public.ts'
import type { AppointmentState, KnownAppointment } from './decider.ts'
import { findAppointment } from './queries.ts'

type BookedPatient = Appointment['patient'] & { deceasedOn: string | null }

type Result = { state: AppointmentState; revision: bigint | 'no-stream' }

/** Returns an appointment from the read model, or from the decided state when the read model lags behind. */
export async function toReply(
  { db, keyStore, clock }: Pick<Services, 'db' | 'keyStore' | 'clock'>,
  zone: string,
  { state, revision }: Result,
): Promise<Appointment> {
  if (!state.known) throw notFound('appointment')
  const row = await findAppointment({ db, keyStore }, zone, state.practiceId, state.appointmentId)
  const current = currentRow(row, revision)
  if (current) return current
  const about = row ?? toPatientFields(await findPatient(db, state.practiceId, state.patientId))
  return composeReply(state, Number(revision), zone, clock().toISOString(), row, about)
}

type PatientFields = Pick<Appointment, 'patient' | 'patientDeceased'>

function toPatientFields(patient: BookedPatient | null): PatientFields {
  const { firstName, lastName, deceasedOn } = patient ?? { firstName: '', lastName: '', deceasedOn: null }
  return { patient: { firstName, lastName }, patientDeceased: deceasedOn !== null }
}

/** Returns an appointment that was booked at an instant (ISO), and that no other command has changed: the row says the same. */
export function toNewReply(
  zone: string,
  { state, revision }: Result,
  bookedAt: string,
  patient: BookedPatient,
): Appointment {
  if (!state.known) throw notFound('appointment')
  return composeReply(state, Number(revision), zone, bookedAt, null, toPatientFields(patient))
}

function composeReply(
  state: KnownAppointment,
  revision: number,
  zone: string,
  now: string,
  row: Appointment | null,
  { patient, patientDeceased }: PatientFields,
): Appointment {
  const { slot, completion } = state
  const { date, time } = toLocalDateTime(slot.startsAt, zone)
  return {
    id: state.appointmentId,
    practiceId: state.practiceId,
    providerId: slot.providerId,
    patientId: state.patientId,
    patient,
    patientDeceased,
    appointmentDate: slot.startsAt,
    endsAt: addMinutes(slot.startsAt, slot.duration),
    localDate: date,
    localTime: time,
    duration: slot.duration,
    type: state.type,
    status: state.status,
    statusSince: row?.status === state.status ? row.statusSince : now,
    reason: state.reason,
    notes: state.notes,
    overlap: slot.overlaps.length > 0,
    seriesId: state.seriesId,
    fee: completion?.fee ?? null,
    aiInsights: null,
    sample: row?.sample ?? false,
    revision,
    createdAt: row?.createdAt ?? now,
    updatedAt: now,
  }
}
