import type { LoadedStream } from '#eventstore/command.ts'
import type { CommandBus } from '#eventstore/command-bus.ts'
import { notFound } from '#http/problems.ts'
import { appointmentDecider, type KnownAppointment } from './decider.ts'
import type { AppointmentEvent } from './events.ts'

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
