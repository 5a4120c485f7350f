import type { Module } from '#modules/module.ts'
import { dashboardPatients, dashboardPractices, dashboardTotals, dashboardAppointments } from './projection.ts'
import { dashboardRoutes } from './routes.ts'

/** What the dashboard counts. It has no facts of its own: its figures follow from those of the others. */
export const dashboard: Module = {
  name: 'dashboard',
  events: [],
  projections: [dashboardAppointments, dashboardPatients, dashboardTotals, dashboardPractices],
  routes: dashboardRoutes,
}
