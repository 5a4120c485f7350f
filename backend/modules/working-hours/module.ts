import type { Module } from '#modules/module.ts'
import { ClosureEvent } from './closures/events.ts'
import { closuresProjection } from './closures/projection.ts'
import { WorkingHoursEvent } from './events.ts'
import { workingHoursProjection } from './projection.ts'
import { workingHoursRoutes } from './routes.ts'

/** Working hours by weekday with breaks, holidays of the practice, and days off of its providers. */
export const workingHours: Module = {
  name: 'working-hours',
  events: [WorkingHoursEvent, ClosureEvent],
  projections: [workingHoursProjection, closuresProjection],
  liveUpdates: [{ kinds: ['practice'], events: [WorkingHoursEvent, ClosureEvent] }],
  routes: workingHoursRoutes,
}
