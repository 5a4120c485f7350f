import type { Module } from '#modules/module.ts'
import { InsightEvent } from './events.ts'
import {
  insightAppointments,
  insightCoverages,
  insightDecisions,
  insightForms,
  insightPatients,
  insightPractices,
} from './projection.ts'
import { insightRoutes } from './routes.ts'

/** Suggestions derived from the practice's data, and what people decided about them. */
export const insights: Module = {
  name: 'insights',
  events: [InsightEvent],
  projections: [
    insightAppointments,
    insightPatients,
    insightPractices,
    insightForms,
    insightCoverages,
    insightDecisions,
  ],
  liveUpdates: [{ kinds: ['insights'], events: [InsightEvent] }],
  routes: insightRoutes,
}
