import type { Module } from '#modules/module.ts'
import { dashboardPatients, dashboardPractices, dashboardTotals, dashboardAppointments } from './projection.ts'
import { dashboardRoutes } from './routes.ts'

/** The figures of the dashboard, derived from the events of other modules. Has no events. */
export const dashboard: Module = {
  name: 'dashboard',
  events: [],
  projections: [dashboardAppointments, dashboardPatients, dashboardTotals, dashboardPractices],
  routes: dashboardRoutes,
}
