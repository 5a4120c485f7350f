import type { Actor, DomainEvent, Recorded } from './event.ts'
import type { ExpectedRevision } from './event-store.ts'

/** Origin of a command. The command bus alone turns it into metadata. */
export type CommandContext = {
  practiceId: string | null
  actor: Actor
  correlationId: string
  /** Id of the cause of the command, when that is not the request itself. */
  causationId?: string
  sample?: boolean
}

/** A command with the time at which it is given, an ISO instant in UTC. */
export type TimedCommand<Command> = { command: Command; at: string }

/** A loaded stream: its events, the state folded from them, and the revision of the last one. */
export type LoadedStream<State, Event extends DomainEvent> = {
  state: State
  revision: ExpectedRevision
  history: readonly Recorded<Event>[]
}
