import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { currentUserQuery } from '#web/entities/accounts/current-user.ts'
import { LoadingScreen } from '#web/ui/loading-screen.tsx'
import { rootRoute } from './root-route.tsx'
import { ScreenError } from './screen-error.tsx'

/** Parent of every screen for signed-in people. Whoever is signed out is led to the sign-in screen and back. */
export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  beforeLoad: async ({ context: { queryClient }, location }) => {
    const user = await queryClient.ensureQueryData(currentUserQuery)
    if (!user) throw redirect({ to: '/auth', search: { redirect: location.href } })
  },
  // Whoever has to sign in first does not wait for the frame of the screens behind it.
  component: lazyRouteComponent(() => import('./signed-in-layout.tsx'), 'SignedInLayout'),
  pendingComponent: LoadingScreen,
  errorComponent: ScreenError,
})
