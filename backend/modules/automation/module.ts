import type { Module } from '#modules/module.ts'
import { AutomationEstimatesChanged } from './events.ts'
import { automationActionsProjection, automationEstimatesProjection } from './projection.ts'
import { automationRoutes } from './routes.ts'

/** The automation hub: the log of what runs by itself, its figures, and the estimates behind the savings. */
export const automation: Module = {
  name: 'automation',
  events: [AutomationEstimatesChanged],
  projections: [automationActionsProjection, automationEstimatesProjection],
  liveUpdates: [{ kinds: ['automation'], events: [AutomationEstimatesChanged] }],
  routes: automationRoutes,
}
