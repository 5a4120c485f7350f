import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '#web/shell/shell-route.tsx'
import { parseAppointmentsSearch } from '#web/features/appointments/calendar/appointments-search.ts'

/** `/appointments`: the schedule; date, view and filters are in the URL. */
export const appointmentsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/appointments',
  validateSearch: parseAppointmentsSearch,
  component: lazyRouteComponent(
    () => import('#web/features/appointments/calendar/appointments-screen.tsx'),
    'AppointmentsScreen',
  ),
})
