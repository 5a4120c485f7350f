import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { loadFirstData } from '#web/shell/first-data.ts'
import { shellRoute } from '#web/shell/shell-route.tsx'
import type { AppointmentsSearch } from '#web/features/appointments/calendar/appointments-search.ts'

const importAppointments = () => import('#web/features/appointments/calendar/appointments-screen.tsx')

/** `/appointments`: the schedule; date, view and filters are in the URL. */
export const appointmentsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/appointments',
  // The screen parses it: a parser here would be loaded with the sign-in screen.
  validateSearch: (raw: Record<string, unknown>) => raw as AppointmentsSearch,
  loader: ({ context: { queryClient } }) =>
    loadFirstData(queryClient, async () => (await importAppointments()).loadToday),
  component: lazyRouteComponent(importAppointments, 'AppointmentsScreen'),
})
