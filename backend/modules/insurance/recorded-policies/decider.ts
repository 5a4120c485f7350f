import type { Decider } from '#eventstore/decider.ts'
import { PolicyComparisonEvent } from './events.ts'

type Comparison = Extract<PolicyComparisonEvent, { type: 'PolicyCompared' }>['data']

export type PolicyComparisonCommand = { type: 'Compare'; comparison: Comparison }

/** The last comparison; null before the first. */
type PolicyComparisonState = Comparison | null

/** Returns whether a comparison rests on a newer state of one side, and on no older one of the other. */
const isNewer = (comparison: Comparison, last: Comparison) =>
  comparison.patientRevision >= last.patientRevision &&
  comparison.verificationRevision >= last.verificationRevision &&
  comparison.patientRevision + comparison.verificationRevision > last.patientRevision + last.verificationRevision

/** The rules of comparisons of one verification: the one of the newest record stays, in whatever order their jobs finish. */
export const policyComparisonDecider: Decider<
  PolicyComparisonCommand,
  PolicyComparisonEvent,
  PolicyComparisonState,
  never
> = {
  category: 'policy-comparison',
  events: PolicyComparisonEvent,
  initial: null,
  decide: ({ comparison }, last) =>
    last === null || isNewer(comparison, last) ? [{ type: 'PolicyCompared', data: comparison }] : [],
  evolve: (_, { data }) => data,
}
