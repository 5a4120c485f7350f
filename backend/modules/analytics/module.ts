import type { Module } from '#modules/module.ts'
import {
  analyticsAnswers,
  analyticsAppointments,
  analyticsForms,
  analyticsPatients,
  analyticsVerifications,
} from './projection.ts'
import { analyticsRoutes } from './routes.ts'

/** The figures of a practice in any period, with the records behind each; no events of its own. */
export const analytics: Module = {
  name: 'analytics',
  events: [],
  projections: [analyticsAppointments, analyticsPatients, analyticsForms, analyticsVerifications, analyticsAnswers],
  routes: analyticsRoutes,
}
