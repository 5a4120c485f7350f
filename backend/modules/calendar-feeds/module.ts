import type { Module } from '#modules/module.ts'
import { CalendarFeedEvent } from './events.ts'
import { endFeeds } from './jobs.ts'
import { calendarFeedsProjection } from './projection.ts'
import { calendarFeedRoutes } from './routes.ts'

/** Private addresses from which calendar programs read a provider's appointments. */
export const calendarFeeds: Module = {
  name: 'calendar-feeds',
  events: [CalendarFeedEvent],
  projections: [calendarFeedsProjection],
  jobs: [endFeeds],
  liveUpdates: [{ kinds: ['practice'], events: [CalendarFeedEvent] }],
  routes: calendarFeedRoutes,
}
