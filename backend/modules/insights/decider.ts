import type { InsightDecisionKind } from '#contracts/values/insights.ts'
import { type Decider, reject } from '#eventstore/decider.ts'
import { InsightEvent } from './events.ts'

/** An insight as it is when a person decides about it. */
export type DecidedInsight = Extract<InsightEvent, { type: 'InsightDone' }>['data']

/** Commands for one insight. `now` and `until` are ISO instants in UTC. */
export type InsightCommand =
  | { type: 'Dismiss'; insight: DecidedInsight }
  | { type: 'Snooze'; insight: DecidedInsight; until: string; now: string }
  | { type: 'MarkDone'; insight: DecidedInsight }
  | { type: 'Reopen' }

/** The last decision; null without one. */
export type InsightState = {
  kind: InsightDecisionKind
  insight: DecidedInsight
  until: string | null
} | null

/** Returns whether an insight is based on nothing that a decision did not know. */
export const coversGrounds = (decided: readonly string[], grounds: readonly string[]): boolean => {
  const known = new Set(decided)
  return grounds.every((ground) => known.has(ground))
}

/** Returns whether a decision was made before, about the same grounds. */
function isRepeated(state: InsightState, kind: InsightDecisionKind, { grounds }: DecidedInsight): boolean {
  return state?.kind === kind && coversGrounds(state.insight.grounds, grounds)
}

/** The rules of the decisions about an insight: the last one counts, for what the insight was based on. */
export const insightDecider: Decider<InsightCommand, InsightEvent, InsightState, 'time-over'> = {
  category: 'insight',
  events: InsightEvent,
  initial: null,
  decide(command, state) {
    switch (command.type) {
      case 'Dismiss':
        return isRepeated(state, 'dismissed', command.insight)
          ? []
          : [{ type: 'InsightDismissed', data: command.insight }]
      case 'MarkDone':
        return isRepeated(state, 'done', command.insight) ? [] : [{ type: 'InsightDone', data: command.insight }]
      case 'Snooze': {
        const { insight, until, now } = command
        if (until <= now) return reject('time-over', 'This time is over.')
        if (isRepeated(state, 'snoozed', insight) && state?.until === until) return []
        return [{ type: 'InsightSnoozed', data: { ...insight, until } }]
      }
      case 'Reopen': {
        if (state === null) return []
        const { insightId, practiceId } = state.insight
        return [{ type: 'InsightReopened', data: { insightId, practiceId } }]
      }
    }
  },
  evolve(state, event) {
    switch (event.type) {
      case 'InsightDismissed':
        return { kind: 'dismissed', insight: event.data, until: null }
      case 'InsightDone':
        return { kind: 'done', insight: event.data, until: null }
      case 'InsightSnoozed': {
        const { until, ...insight } = event.data
        return { kind: 'snoozed', insight, until }
      }
      case 'InsightReopened':
        return null
    }
  },
}
