import type { PracticeId } from '#contracts/values/ids.ts'
import { type Decider, reject } from '#eventstore/decider.ts'
import { type CalendarFeedEndReason, CalendarFeedEvent } from './events.ts'

type Created = Extract<CalendarFeedEvent, { type: 'CalendarFeedCreated' }>['data']

/** Commands for one calendar feed. */
export type CalendarFeedCommand =
  | { type: 'Create'; feed: Created }
  | { type: 'Revoke'; practiceId: PracticeId }
  | { type: 'End'; reason: CalendarFeedEndReason }

export type CalendarFeedState = { status: 'unknown' } | { status: 'open' | 'ended' | 'revoked'; feed: Created }

/** The rules of a calendar feed: once ended or revoked it never opens again. An ended one can be revoked to unlist it. */
export const calendarFeedDecider: Decider<CalendarFeedCommand, CalendarFeedEvent, CalendarFeedState, 'not-found'> = {
  category: 'calendar_feed',
  events: CalendarFeedEvent,
  initial: { status: 'unknown' },
  decide(command, state) {
    if (command.type === 'Create')
      return state.status === 'unknown' ? [{ type: 'CalendarFeedCreated', data: command.feed }] : []
    if (command.type === 'End') {
      if (state.status !== 'open') return []
      const { calendarFeedId } = state.feed
      return [{ type: 'CalendarFeedEnded', data: { calendarFeedId, reason: command.reason } }]
    }
    if (state.status === 'unknown' || state.status === 'revoked' || state.feed.practiceId !== command.practiceId)
      return reject('not-found', 'There is no such calendar address.')
    return [{ type: 'CalendarFeedRevoked', data: { calendarFeedId: state.feed.calendarFeedId } }]
  },
  evolve(state, event) {
    if (event.type === 'CalendarFeedCreated') return { status: 'open', feed: event.data }
    if (state.status === 'unknown') return state
    return { ...state, status: event.type === 'CalendarFeedEnded' ? 'ended' : 'revoked' }
  },
}
