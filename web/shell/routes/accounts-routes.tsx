import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { z } from 'zod'
import { currentUserQuery } from '#web/entities/accounts/current-user.ts'
import { LoadingScreen } from '#web/ui/loading-screen.tsx'
import { rootRoute } from '#web/shell/root-route.tsx'
import { toLocalPath } from '#web/features/accounts/local-path.ts'

/** Sign in and sign up. Whoever is signed in already goes on to where they wanted. */
export const authRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/auth',
  validateSearch: z.object({
    tab: z.enum(['login', 'register']).optional().catch(undefined),
    redirect: z.string().optional().catch(undefined),
  }),
  beforeLoad: async ({ context: { queryClient }, search }) => {
    if (await queryClient.ensureQueryData(currentUserQuery)) throw redirect({ href: toLocalPath(search.redirect) })
  },
  pendingComponent: LoadingScreen,
  component: lazyRouteComponent(() => import('#web/features/accounts/auth-screen.tsx'), 'AuthScreen'),
})

/** What a newcomer sees first after registering. */
export const welcomeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/welcome',
  beforeLoad: async ({ context: { queryClient } }) => {
    if (!(await queryClient.ensureQueryData(currentUserQuery))) throw redirect({ to: '/auth' })
  },
  pendingComponent: LoadingScreen,
  component: lazyRouteComponent(() => import('#web/features/accounts/welcome-screen.tsx'), 'WelcomeScreen'),
})
