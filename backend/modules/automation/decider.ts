import { defaultEstimates, type Estimates } from '#contracts/values/automation.ts'
import type { PracticeId } from '#contracts/values/ids.ts'
import type { Decider } from '#eventstore/decider.ts'
import { AutomationEstimatesChanged } from './events.ts'

/** Changes the estimates of a practice. */
export type EstimatesCommand = { type: 'ChangeEstimates'; practiceId: PracticeId; estimates: Estimates }

/** The estimates of one practice. */
export const estimatesDecider: Decider<EstimatesCommand, AutomationEstimatesChanged, Estimates, never> = {
  category: 'automation-estimates',
  events: AutomationEstimatesChanged,
  initial: defaultEstimates,
  decide({ practiceId, estimates }, state) {
    const names = Object.keys(defaultEstimates) as (keyof Estimates)[]
    return names.every((name) => estimates[name] === state[name])
      ? []
      : [{ type: 'AutomationEstimatesChanged', data: { practiceId, ...estimates } }]
  },
  evolve: (_, { data: { practiceId: _id, ...estimates } }) => estimates,
}
