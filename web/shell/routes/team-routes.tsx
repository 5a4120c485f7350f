import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { LoadingScreen } from '#web/ui/loading-screen.tsx'
import { rootRoute } from '#web/shell/root-route.tsx'
import { shellRoute } from '#web/shell/shell-route.tsx'

/** `/team`: members and invitations, for the owner and administrators. */
export const teamRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/team',
  component: lazyRouteComponent(() => import('#web/features/team/team-screen.tsx'), 'TeamScreen'),
})

/** `/invitations/$token`: the page on which an invitation is accepted. Public. */
export const invitationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/invitations/$token',
  pendingComponent: LoadingScreen,
  component: lazyRouteComponent(
    () => import('#web/features/team/invitation/invitation-screen.tsx'),
    'InvitationScreen',
  ),
})
