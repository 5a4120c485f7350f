import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { z } from 'zod'
import { currentUserQuery } from '#web/entities/accounts/current-user.ts'
import { loadFirstData } from '#web/shell/first-data.ts'
import { LoadingScreen } from '#web/ui/loading-screen.tsx'
import { loadPractice } from '#web/shell/load-practice.ts'
import { rootRoute } from '#web/shell/root-route.tsx'
import { shellRoute } from '#web/shell/shell-route.tsx'

/** Replaces the application by the landing page, which is not part of it. Never resolves. */
function leaveToLandingPage(): Promise<never> {
  window.location.replace('/landing')
  return new Promise(() => undefined)
}

const importDashboard = () => import('#web/features/dashboard/dashboard-screen.tsx')

/** `/`: the setup wizard or the dashboard, depending on the user; the landing page when the session has ended. */
export const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  // Set by the payment provider's redirect after a payment.
  validateSearch: z.object({ subscription: z.literal('success').optional().catch(undefined) }),
  loaderDeps: ({ search: { subscription } }) => ({ hasPaid: subscription === 'success' }),
  loader: async ({ context: { queryClient }, deps: { hasPaid } }) => {
    const user = await queryClient.ensureQueryData(currentUserQuery)
    if (!user) return await leaveToLandingPage()
    if (hasPaid) return
    if (user.practiceId === null) throw redirect({ to: '/onboarding', replace: true })
    // Resumes an unfinished setup. If the practice cannot be loaded, the dashboard is more useful than an error.
    const practice = user.isOwner && (await loadPractice(queryClient, user.practiceId).catch(() => null))
    if (practice && !practice.setupComplete) throw redirect({ to: '/onboarding', replace: true })
    await loadFirstData(queryClient, async () => (await importDashboard()).loadDashboard)
  },
  pendingComponent: LoadingScreen,
  pendingMs: 0,
  component: lazyRouteComponent(() => import('#web/shell/home-screen.tsx'), 'HomeScreen'),
})

/** `/dashboard`: the dashboard, for links from the welcome page and bookmarks. */
export const dashboardRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/dashboard',
  loader: ({ context: { queryClient } }) =>
    loadFirstData(queryClient, async () => (await importDashboard()).loadDashboard),
  component: lazyRouteComponent(importDashboard, 'DashboardScreen'),
})

/** `/demo`: public dashboard of the sample practice. */
export const demoRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/demo',
  component: lazyRouteComponent(() => import('#web/features/dashboard/demo/demo-screen.tsx'), 'DemoScreen'),
})

/** `/under-development`: the roadmap. */
export const underDevelopmentRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/under-development',
  component: lazyRouteComponent(
    () => import('#web/features/coming-soon/under-development-screen.tsx'),
    'UnderDevelopmentScreen',
  ),
})
