import type { z } from 'zod'
import type { DomainEvent, Metadata } from './event.ts'

/** A refusal of the practice's rules. A value: `decide` returns it, nobody catches it. `details` reach the caller. */
export type Rejection<Code extends string = string> = {
  readonly rejected: Code
  /** In plain words, for the person who asked. */
  readonly message: string
  /** The field that is at fault, when there is one. */
  readonly path?: string
}

export const reject = <Code extends string>(code: Code, message: string, path?: string): Rejection<Code> => ({
  rejected: code,
  message,
  ...(path === undefined ? {} : { path }),
})

/**
 * The whole write side of one kind of stream, as pure functions. The clock, new ids and policy values come in with the
 * command. A command that changes nothing decides `[]`.
 */
export type Decider<Command, Event extends DomainEvent, State, Code extends string = string> = {
  /** Streams are named `<category>-<id>`. */
  readonly category: string
  /** Every event of the category; what is decided is checked against it before it is written. */
  readonly events: z.ZodType<Event>
  readonly initial: State
  decide(command: Command, state: State): readonly Event[] | Rejection<Code>
  evolve(state: State, event: MarkedEvent<Event>): State
}

/** An event as `evolve` receives it: with the mark of events that belong to a sample practice. */
export type MarkedEvent<Event extends DomainEvent> = Event & { readonly metadata?: Pick<Metadata, 'sample'> }

export const isRejection = (decision: object): decision is Rejection => 'rejected' in decision

/** The state a history leads to. */
export const fold = <Event extends DomainEvent, State>(
  decider: Pick<Decider<never, Event, State>, 'initial' | 'evolve'>,
  history: readonly MarkedEvent<Event>[],
): State => history.reduce((state, event) => decider.evolve(state, event), decider.initial)
