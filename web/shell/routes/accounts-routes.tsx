import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { z } from 'zod'
import { currentUserQuery } from '#web/entities/accounts/current-user.ts'
import { LoadingScreen } from '#web/ui/loading-screen.tsx'
import { rootRoute } from '#web/shell/root-route.tsx'
import { toLocalPath } from '#web/features/accounts/local-path.ts'

/** `/auth`: sign in and sign up. Redirects users who are already signed in to their destination. */
export const authRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/auth',
  validateSearch: z.object({
    tab: z.enum(['login', 'register']).optional().catch(undefined),
    redirect: z.string().optional().catch(undefined),
    /** Reason for which the user was signed out; undefined after signing out by choice. */
    reason: z.enum(['idle']).optional().catch(undefined),
  }),
  beforeLoad: async ({ context: { queryClient }, search }) => {
    if (await queryClient.ensureQueryData(currentUserQuery)) throw redirect({ href: toLocalPath(search.redirect) })
  },
  pendingComponent: LoadingScreen,
  component: lazyRouteComponent(() => import('#web/features/accounts/auth-screen.tsx'), 'AuthScreen'),
})

/** `/welcome`: the first page after registering. */
export const welcomeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/welcome',
  beforeLoad: async ({ context: { queryClient } }) => {
    if (!(await queryClient.ensureQueryData(currentUserQuery))) throw redirect({ to: '/auth' })
  },
  pendingComponent: LoadingScreen,
  component: lazyRouteComponent(() => import('#web/features/accounts/welcome-screen.tsx'), 'WelcomeScreen'),
})
