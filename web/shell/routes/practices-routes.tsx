import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { currentUserQuery } from '#web/entities/accounts/current-user.ts'
import { LoadingScreen } from '#web/ui/loading-screen.tsx'
import { loadPractice } from '#web/shell/load-practice.ts'
import { rootRoute } from '#web/shell/root-route.tsx'

/** `/onboarding`: the setup wizard, which resumes where it was left. */
export const onboardingRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/onboarding',
  loader: async ({ context: { queryClient } }) => {
    const user = await queryClient.ensureQueryData(currentUserQuery)
    if (!user) throw redirect({ to: '/auth', search: { redirect: '/onboarding' } })
    if (user.mustSetUpTwoFactor) throw redirect({ to: '/two-factor', search: { redirect: '/onboarding' } })
    if (user.practiceId) await loadPractice(queryClient, user.practiceId)
  },
  pendingComponent: LoadingScreen,
  component: lazyRouteComponent(() => import('#web/features/practices/onboarding-screen.tsx'), 'OnboardingScreen'),
})
