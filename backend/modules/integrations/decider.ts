import type { Decider } from '#eventstore/decider.ts'
import { IntegrationTested } from './events.ts'

/** The command that records a test. */
export type RecordTest = { type: 'Record'; test: IntegrationTested['data'] }

/** The outcome of a test; null before. */
export type TestState = IntegrationTested['data'] | null

/** The rules of tests: each has its own stream, and its first outcome stays, also when a lost reply is repeated. */
export const testDecider: Decider<RecordTest, IntegrationTested, TestState, never> = {
  category: 'integration-test',
  events: IntegrationTested,
  initial: null,
  decide: ({ test }, state) => (state ? [] : [{ type: 'IntegrationTested', data: test }]),
  evolve: (_, { data }) => data,
}
