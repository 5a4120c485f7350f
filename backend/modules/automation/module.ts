import type { Module } from '#modules/module.ts'
import { AutomationEstimatesChanged } from './events.ts'
import { automationActionsProjection, automationEstimatesProjection } from './projection.ts'
import { automationRoutes } from './routes.ts'
import { AutomationSwitched } from './switches/events.ts'
import { automationSwitchesProjection } from './switches/projection.ts'

/** The automation hub: the log of what runs by itself, its figures, the estimates behind the savings, and the switches. */
export const automation: Module = {
  name: 'automation',
  events: [AutomationEstimatesChanged, AutomationSwitched],
  projections: [automationActionsProjection, automationEstimatesProjection, automationSwitchesProjection],
  liveUpdates: [{ kinds: ['automation'], events: [AutomationEstimatesChanged, AutomationSwitched] }],
  routes: automationRoutes,
}
