import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { currentUserQuery } from '#web/entities/accounts/current-user.ts'
import { keepChosenPlan, parseChosenPlan } from '#web/entities/billing/chosen-plan.ts'
import { LoadingScreen } from '#web/ui/loading-screen.tsx'
import { toAuthSearch } from './auth-redirect.ts'
import { rootRoute } from './root-route.tsx'
import { ScreenError } from './screen-error.tsx'

/** Parent route of every screen for signed-in users; redirects to sign-in and back. */
export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  beforeLoad: async ({ context: { queryClient }, location }) => {
    const user = await queryClient.ensureQueryData(currentUserQuery)
    if (user) return
    const search = toAuthSearch(location)
    const plan = parseChosenPlan(search.redirect)
    // Kept for visitors who register another day.
    if (plan) keepChosenPlan(plan, null)
    throw redirect({ to: '/auth', search })
  },
  // Lazy, so that the sign-in screen does not wait for the application frame.
  component: lazyRouteComponent(() => import('./signed-in-layout.tsx'), 'SignedInLayout'),
  pendingComponent: LoadingScreen,
  errorComponent: ScreenError,
})
