import { z } from 'zod'
import { type DomainEvent, UnsupportedEventVersion, type Recorded } from '#eventstore/event.ts'

/** What is to be done because of a fact, as data: the engine puts the job down, a worker does it. */
export type JobRequest = {
  /** The name of a job that a module declares in its manifest. */
  readonly job: string
  /** Ids and plain values that the job's own schema takes; never a name, an e-mail address or health data. */
  readonly data: object
  /** Not before this instant, an ISO text in UTC. Left out: as soon as a worker is free. */
  readonly startAfter?: string
}

/** What a job follows from, as part of its data: everything that it writes then belongs to what happened before. */
export const Cause = z.strictObject({
  // Of no particular version: whoever asks may bring one along.
  correlationId: z.guid(),
  causationId: z.guid(),
})
export type Cause = z.infer<typeof Cause>

/** The cause that an event is: the connection it stands in, and the event itself. */
export const toCause = ({ id, metadata }: Recorded): Cause => ({
  correlationId: metadata.correlationId,
  causationId: id,
})

/**
 * Turns facts into jobs, with no memory, no clock and no side effect. It starts at the end of the record when it is new
 * and is never replayed: every later fact is reacted to once and only once.
 */
export type ProcessManager<Event extends DomainEvent = DomainEvent> = {
  /** In kebab-case; also the name of its checkpoint. Another name is another process manager, which starts at the end. */
  readonly name: string
  readonly on: {
    readonly [Type in Event['type']]?: (event: Recorded<Extract<Event, { type: Type }>>) => readonly JobRequest[]
  }
}

/** A process manager as the engine sees it, whatever its events are. */
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyProcessManager = ProcessManager<any>

export const defineProcessManager = <Event extends DomainEvent>(
  described: ProcessManager<Event>,
): ProcessManager<Event> => described

/** The jobs that follow from one event, in their order. Throws NewerEvent when nobody here can read it. */
export function getJobRequests(of: AnyProcessManager, event: Recorded): readonly JobRequest[] {
  if (!Object.hasOwn(of.on, event.type)) return []
  if (event.isNewer) throw new UnsupportedEventVersion(event)
  const react = of.on[event.type] as (event: Recorded) => readonly JobRequest[]
  return react(event)
}
