import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '#web/app/shell-route.tsx'
import { parseAppointmentsSearch } from './url-state.ts'

/** The practice's day; date, view and filters stand in the address. */
export const appointmentsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/appointments',
  validateSearch: parseAppointmentsSearch,
  component: lazyRouteComponent(() => import('./appointments-screen.tsx'), 'AppointmentsScreen'),
})
