import type { Module } from '#modules/module.ts'
import { dropReadModels } from '#projections/drop-read-models.ts'
import { dashboardRoutes } from './routes.ts'

/** The analytics replaced them. */
const dropped = ['dashboard_appointments', 'dashboard_patients', 'dashboard_totals', 'dashboard_practices']

/** The figures of the dashboard, which are those of the analytics. Has no events and no read models. */
export const dashboard: Module = {
  name: 'dashboard',
  events: [],
  migrations: [dropReadModels('dashboard-001-drop-read-models', dropped)],
  routes: dashboardRoutes,
}
