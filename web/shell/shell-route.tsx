import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { currentUserQuery } from '#web/entities/accounts/current-user.ts'
import { LoadingScreen } from '#web/ui/loading-screen.tsx'
import { rootRoute } from './root-route.tsx'
import { ScreenError } from './screen-error.tsx'

/** Parent route of every screen for signed-in users; redirects to sign-in and back. */
export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  beforeLoad: async ({ context: { queryClient }, location }) => {
    const user = await queryClient.ensureQueryData(currentUserQuery)
    if (!user) throw redirect({ to: '/auth', search: { redirect: location.href } })
  },
  // Lazy, so that the sign-in screen does not wait for the application frame.
  component: lazyRouteComponent(() => import('./signed-in-layout.tsx'), 'SignedInLayout'),
  pendingComponent: LoadingScreen,
  errorComponent: ScreenError,
})
