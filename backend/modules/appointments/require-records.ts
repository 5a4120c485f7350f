import type { LoadedStream } from '#eventstore/command.ts'
import type { CommandBus } from '#eventstore/command-bus.ts'
import { notFound } from '#http/problems.ts'
import { appointmentDecider, type KnownAppointment } from './decider.ts'
import type { AppointmentEvent } from './events.ts'

/** The stream of an appointment that exists. */
export type LoadedAppointment = LoadedStream<KnownAppointment, AppointmentEvent> & { revision: bigint }

/** Loads an appointment of a practice; null when there is none in this practice. */
export async function findLoadedAppointment(
  bus: CommandBus,
  practiceId: string,
  appointmentId: string,
): Promise<LoadedAppointment | null> {
  const { state, revision, history } = await bus.load(appointmentDecider, appointmentId)
  const isOfPractice = state.known && state.practiceId === practiceId
  return isOfPractice && revision !== 'no-stream' ? { state, revision, history } : null
}

/** Loads an appointment of a practice. Throws 404 when there is none in this practice. */
export async function requireAppointment(
  bus: CommandBus,
  practiceId: string,
  appointmentId: string,
): Promise<LoadedAppointment> {
  const loaded = await findLoadedAppointment(bus, practiceId, appointmentId)
  if (!loaded) throw notFound('appointment')
  return loaded
}
