import type { CommonQueryMethods } from 'slonik'
import type { CommandBus, LoadedStream } from '#eventstore/command-bus.ts'
import { notFound } from '#http/problems.ts'
import type { Services } from '#modules/module.ts'
import { waitForReadModels } from '#modules/wait-for-read-models.ts'
import { appointmentDecider, type KnownAppointment } from './decider.ts'
import type { AppointmentEvent } from './events.ts'
import { type AppointmentPatient, findPatient } from './queries.ts'

/** The stream of an appointment that exists. */
export type LoadedAppointment = LoadedStream<KnownAppointment, AppointmentEvent> & { revision: bigint }

/** Loads an appointment of a practice. Throws 404 when there is none in this practice. */
export async function requireAppointment(
  bus: CommandBus,
  practiceId: string,
  appointmentId: string,
): Promise<LoadedAppointment> {
  const { state, revision, history } = await bus.load(appointmentDecider, appointmentId)
  if (!state.known || state.practiceId !== practiceId || revision === 'no-stream') throw notFound('appointment')
  return { state, revision, history }
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

/**
 * Returns whether a patient of a practice was removed, also a moment ago. For jobs that complete what was begun while the
 * patient was removed. Throws ReadModelsBehind.
 */
export async function wasPatientRemoved(
  services: Pick<Services, 'db' | 'store' | 'waitUntilCaughtUp'>,
  practiceId: string,
  patientId: string,
): Promise<boolean> {
  await waitForReadModels(services, ['PatientRemoved'])
  return (await findPatient(services.db, practiceId, patientId))?.removed ?? false
}
