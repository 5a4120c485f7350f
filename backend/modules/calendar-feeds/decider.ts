import type { PracticeId } from '#contracts/values/ids.ts'
import { type Decider, reject } from '#eventstore/decider.ts'
import { CalendarFeedEvent } from './events.ts'

type Created = Extract<CalendarFeedEvent, { type: 'CalendarFeedCreated' }>['data']

/** Commands for one calendar feed. */
export type CalendarFeedCommand = { type: 'Create'; feed: Created } | { type: 'Revoke'; practiceId: PracticeId }

export type CalendarFeedState = { status: 'unknown' } | { status: 'open' | 'revoked'; feed: Created }

/** The rules of a calendar feed: once revoked it never opens again. */
export const calendarFeedDecider: Decider<CalendarFeedCommand, CalendarFeedEvent, CalendarFeedState, 'not-found'> = {
  category: 'calendar_feed',
  events: CalendarFeedEvent,
  initial: { status: 'unknown' },
  decide(command, state) {
    if (command.type === 'Create')
      return state.status === 'unknown' ? [{ type: 'CalendarFeedCreated', data: command.feed }] : []
    if (state.status !== 'open' || state.feed.practiceId !== command.practiceId)
      return reject('not-found', 'There is no such calendar address.')
    return [{ type: 'CalendarFeedRevoked', data: { calendarFeedId: state.feed.calendarFeedId } }]
  },
  evolve(state, event) {
    if (event.type === 'CalendarFeedCreated') return { status: 'open', feed: event.data }
    return state.status === 'unknown' ? state : { ...state, status: 'revoked' }
  },
}
