import { z } from 'zod'
import { type DomainEvent, UnsupportedEventVersion, type Recorded } from '#eventstore/event.ts'

/** A job that an event requires, as data: the engine enqueues it and a worker runs it. */
export type JobRequest = {
  /** Name of a job that a module declares in its manifest. */
  readonly job: string
  /** Ids and plain values that match the job's schema; never a name, an e-mail address or health data. */
  readonly data: object
  /** Earliest start, an ISO instant in UTC. Omitted: as soon as a worker is free. */
  readonly startAfter?: string
  /** A 32-bit integer, 0 unless given. The jobs of a queue with a higher one start first of those that may start. */
  readonly priority?: number
}

/** The ids that link a job to its cause, as part of its data: the events it writes belong to the same action. */
export const Cause = z.strictObject({
  // A GUID of any version: a client may supply its own.
  correlationId: z.guid(),
  causationId: z.guid(),
})
export type Cause = z.infer<typeof Cause>

/** Returns an event as the cause of a job: its correlation id, and its own id. */
export const toCause = ({ id, metadata }: Recorded): Cause => ({
  correlationId: metadata.correlationId,
  causationId: id,
})

/**
 * Turns events into jobs, without memory, clock or side effects. A new one starts at the end of the event store and is
 * never replayed: it handles every later event exactly once.
 */
export type ProcessManager<Event extends DomainEvent = DomainEvent> = {
  /** A kebab-case name, also that of its checkpoint. Renamed, it is a new process manager, which starts at the end. */
  readonly name: string
  readonly on: {
    readonly [Type in Event['type']]?: (event: Recorded<Extract<Event, { type: Type }>>) => readonly JobRequest[]
  }
}

/** A process manager of any event type. */
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyProcessManager = ProcessManager<any>

export const defineProcessManager = <Event extends DomainEvent>(
  definition: ProcessManager<Event>,
): ProcessManager<Event> => definition

/**
 * Returns the jobs that one event requires, in order. Throws UnsupportedEventVersion for an event of a newer
 * version.
 */
export function getJobRequests(manager: AnyProcessManager, event: Recorded): readonly JobRequest[] {
  if (!Object.hasOwn(manager.on, event.type)) return []
  if (event.isNewer) throw new UnsupportedEventVersion(event)
  const react = manager.on[event.type] as (event: Recorded) => readonly JobRequest[]
  return react(event)
}
