import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { z } from 'zod'
import { practiceQuery } from '#web/entities/practices/practice-query.ts'
import { currentUserQuery } from '#web/entities/accounts/current-user.ts'
import { LoadingScreen } from '#web/ui/loading-screen.tsx'
import { rootRoute } from '#web/shell/root-route.tsx'
import { shellRoute } from '#web/shell/shell-route.tsx'

/** `/`: the landing page, the set-up wizard or the dashboard, depending on who is asking. */
export const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  // Where the payment provider leads whoever has paid.
  validateSearch: z.object({ subscription: z.literal('success').optional().catch(undefined) }),
  loaderDeps: ({ search: { subscription } }) => ({ hasPaid: subscription === 'success' }),
  loader: async ({ context: { queryClient }, deps: { hasPaid } }) => {
    const user = await queryClient.ensureQueryData(currentUserQuery)
    if (!user) return
    // Whoever comes back from paying is greeted first.
    if (hasPaid) return
    if (user.practiceId === null) throw redirect({ to: '/onboarding', replace: true })
    // A set-up that was begun goes on; when that cannot be found out, the practice is more useful than an error.
    const practice =
      user.isOwner && (await queryClient.ensureQueryData(practiceQuery(user.practiceId)).catch(() => null))
    if (practice && !practice.setupComplete) throw redirect({ to: '/onboarding', replace: true })
  },
  pendingComponent: LoadingScreen,
  pendingMs: 0,
  pendingMinMs: 0,
  component: lazyRouteComponent(() => import('#web/shell/home-screen.tsx'), 'HomeScreen'),
})

/** `/dashboard`: the practice's morning, for whoever comes from the welcome page or a bookmark. */
export const dashboardRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/dashboard',
  component: lazyRouteComponent(() => import('#web/features/dashboard/dashboard-screen.tsx'), 'DashboardScreen'),
})

/** `/demo`: the dashboard of the sample practice, for everybody. */
export const demoRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/demo',
  component: lazyRouteComponent(() => import('#web/features/dashboard/demo/demo-screen.tsx'), 'DemoScreen'),
})

/** `/under-development`: what is planned. */
export const underDevelopmentRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/under-development',
  component: lazyRouteComponent(
    () => import('#web/features/coming-soon/under-development-screen.tsx'),
    'UnderDevelopmentScreen',
  ),
})
