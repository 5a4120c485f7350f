import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { currentUserQuery } from '#web/app/current-user.ts'
import { LoadingScreen } from '#web/app/loading-screen.tsx'
import { rootRoute } from '#web/app/root-route.tsx'

/** `/`: the landing page, the set-up wizard or the dashboard, depending on who is asking. */
export const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  loader: ({ context: { queries } }) => queries.ensureQueryData(currentUserQuery),
  pendingComponent: LoadingScreen,
  pendingMs: 0,
  component: lazyRouteComponent(() => import('./home-screen.tsx'), 'HomeScreen'),
})
