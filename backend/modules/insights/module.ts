import type { Module } from '#modules/module.ts'
import { insightAppointments, insightPatients } from './projection.ts'
import { insightRoutes } from './routes.ts'

/** Suggestions derived from the practice's data. Has no events. */
export const insights: Module = {
  name: 'insights',
  events: [],
  projections: [insightAppointments, insightPatients],
  routes: insightRoutes,
}
