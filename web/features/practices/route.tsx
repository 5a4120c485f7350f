import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { practiceQuery } from '#web/app/current-practice.ts'
import { currentUserQuery } from '#web/app/current-user.ts'
import { LoadingScreen } from '#web/app/loading-screen.tsx'
import { rootRoute } from '#web/app/root-route.tsx'

/** The set-up wizard. Goes on where it was left, and is over once it was gone through. */
export const onboardingRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/onboarding',
  loader: async ({ context: { queryClient } }) => {
    const user = await queryClient.ensureQueryData(currentUserQuery)
    if (!user) throw redirect({ to: '/auth', search: { redirect: '/onboarding' } })
    if (user.practiceId) await queryClient.ensureQueryData(practiceQuery(user.practiceId))
  },
  pendingComponent: LoadingScreen,
  component: lazyRouteComponent(() => import('./onboarding-screen.tsx'), 'OnboardingScreen'),
})
