import type { CommonQueryMethods } from 'slonik'
import type { CommandBus } from '#eventstore/command-bus.ts'
import { notFound } from '#http/problems.ts'
import { type AppointmentState, appointmentDecider } from './decider.ts'
import { type AppointmentPatient, findPatient } from './queries.ts'

/** Loads an appointment of a practice. Throws 404 when there is none in this practice. */
export async function requireAppointment(
  bus: CommandBus,
  practiceId: string,
  appointmentId: string,
): Promise<{ state: Extract<AppointmentState, { known: true }>; revision: bigint }> {
  const { state, revision } = await bus.load(appointmentDecider, appointmentId)
  if (!state.known || state.practiceId !== practiceId || revision === 'no-stream') throw notFound('appointment')
  return { state, revision }
}

/** Finds a patient of a practice. Throws 404 when there is none in this practice, or the patient was removed. */
export async function requirePatient(
  db: CommonQueryMethods,
  practiceId: string,
  patientId: string,
): Promise<AppointmentPatient> {
  const patient = await findPatient(db, practiceId, patientId)
  if (!patient || patient.removed) throw notFound('patient')
  return patient
}
