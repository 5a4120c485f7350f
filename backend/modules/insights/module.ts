import type { Module } from '#modules/module.ts'
import { insightAppointments, insightFormerPatients } from './projection.ts'
import { insightRoutes } from './routes.ts'

/** Suggestions that follow from the practice's data. It has no events of its own. */
export const insights: Module = {
  name: 'insights',
  events: [],
  projections: [insightAppointments, insightFormerPatients],
  routes: insightRoutes,
}
