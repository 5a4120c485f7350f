import type { Decider } from '#eventstore/decider.ts'
import { RefusalEvent } from './events.ts'

/** The command that records a refusal. */
export type RecordRefusal = { type: 'Record'; refusal: RefusalEvent }

/** The rules of recorded refusals: each has its own stream and is recorded once, also when a lost reply is repeated. */
export const refusalDecider: Decider<RecordRefusal, RefusalEvent, 'none' | 'recorded'> = {
  category: 'refused-request',
  events: RefusalEvent,
  initial: 'none',
  decide: ({ refusal }, state) => (state === 'recorded' ? [] : [refusal]),
  evolve: () => 'recorded',
}
