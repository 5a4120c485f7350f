import type { LoadedStream } from './command.ts'
import type { Decider, Rejection } from './decider.ts'
import type { DomainEvent, Recorded } from './event.ts'
import { isOfEarlierAttempt } from './repetition.ts'

/** A business rule refused the command: 409 with the code. */
export class CommandRejected extends Error {
  readonly rejection: Rejection
  constructor(rejection: Rejection) {
    super(`Refused: ${rejection.rejected}`)
    this.rejection = rejection
  }
}

/** The stream has events after the expected revision: 409 `changed-meanwhile`. */
export class ConcurrencyError<Event extends DomainEvent = DomainEvent, State = unknown> extends Error {
  readonly stream: string
  readonly conflictingEvents: readonly Recorded<Event>[]
  /** The state after the conflicting events. */
  readonly state: State
  constructor(stream: string, { state, history }: LoadedStream<State, Event>, expectedRevision: bigint) {
    super('The stream has events after the expected revision')
    this.stream = stream
    this.conflictingEvents = findConflictingEvents(history, expectedRevision)
    this.state = state
  }
}

/** Returns the events after a revision, without those that an earlier attempt at the same request wrote. */
export const findConflictingEvents = <Event extends DomainEvent>(
  history: readonly Recorded<Event>[],
  expectedRevision: bigint,
): readonly Recorded<Event>[] =>
  history.filter((event) => event.revision > expectedRevision && !isOfEarlierAttempt(event))

/** Returns whether an error is a conflict in a stream of this decider, and narrows it to the decider's types. */
export const isConflict = <Command, Event extends DomainEvent, State>(
  error: unknown,
  decider: Decider<Command, Event, State>,
): error is ConcurrencyError<Event, State> =>
  error instanceof ConcurrencyError && error.stream.startsWith(`${decider.category}-`)

/** Too many concurrent writers of one stream, even after three retries: 409 `busy`. */
export class RetriesExhausted extends Error {}

/** One command writes more than the store accepts: 413. */
export class AppendTooLarge extends Error {}
