import type { z } from 'zod'
import type { DomainEvent, Metadata } from './event.ts'

/** A command was refused by a business rule. A value that `decide` returns, not an error. */
export type Rejection<Code extends string = string> = {
  readonly rejected: Code
  /** Message for the user. */
  readonly message: string
  /** Path of the invalid field, if there is one. */
  readonly path?: string
}

export const reject = <Code extends string>(code: Code, message: string, path?: string): Rejection<Code> => ({
  rejected: code,
  message,
  ...(path === undefined ? {} : { path }),
})

/**
 * The write side of one category of streams, as pure functions. Clock, new ids and policy values come in with the command. A
 * command that changes nothing decides `[]`.
 */
export type Decider<Command, Event extends DomainEvent, State, Code extends string = string> = {
  /** Streams are named `<category>-<id>`. */
  readonly category: string
  /** Schema of every event of the category; decided events are validated against it before they are written. */
  readonly events: z.ZodType<Event>
  readonly initial: State
  decide(command: Command, state: State): readonly Event[] | Rejection<Code>
  evolve(state: State, event: MarkedEvent<Event>): State
}

/** An event as `evolve` receives it: with the mark of events that belong to a sample practice. */
export type MarkedEvent<Event extends DomainEvent> = Event & { readonly metadata?: Pick<Metadata, 'sample'> }

export const isRejection = (decision: object): decision is Rejection => 'rejected' in decision

/** Returns the state that a history leads to. */
export const fold = <Event extends DomainEvent, State>(
  decider: Pick<Decider<never, Event, State>, 'initial' | 'evolve'>,
  history: readonly MarkedEvent<Event>[],
): State => history.reduce((state, event) => decider.evolve(state, event), decider.initial)
