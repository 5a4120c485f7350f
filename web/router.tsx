import { QueryClient } from '@tanstack/react-query'
import { createRouter } from '@tanstack/react-router'
import { LoadingScreen } from './ui/loading-screen.tsx'
import { leaveWhenSessionEnds } from './shell/leave-when-session-ends.ts'
import { onceSignedIn } from './shell/once-signed-in.ts'
import { rootRoute } from './shell/root-route.tsx'
import { ScreenError } from './shell/screen-error.tsx'
import { shellRoute } from './shell/shell-route.tsx'
import {
  authRoute,
  emailProofRoute,
  emailRoute,
  forgotRoute,
  resetRoute,
  twoFactorRoute,
  welcomeRoute,
} from './shell/routes/accounts-routes.tsx'
import { analyticsRoute } from './shell/routes/analytics-routes.tsx'
import { automationRoute } from './shell/routes/automation-routes.tsx'
import { appointmentsRoute } from './shell/routes/appointments-routes.tsx'
import { billingPortalRoute, manageSubscriptionRoute } from './shell/routes/manage-subscription-routes.tsx'
import { subscriptionRoute } from './shell/routes/billing-routes.tsx'
import { dashboardRoute, demoRoute, homeRoute, underDevelopmentRoute } from './shell/routes/dashboard-routes.tsx'
import { fillFormRoute, formRoute, formsRoute, patientFormRoute } from './shell/routes/forms-routes.tsx'
import { insightsRoute } from './shell/routes/insights-routes.tsx'
import { insuranceRoute } from './shell/routes/insurance-routes.tsx'
import { importRoute, patientRoute, patientsRoute } from './shell/routes/patients-routes.tsx'
import { onboardingRoute } from './shell/routes/practices-routes.tsx'
import { settingsRoute } from './shell/routes/settings-routes.tsx'
import { invitationRoute, teamRoute } from './shell/routes/team-routes.tsx'

/** Never refetches or retries by itself: data becomes stale only by invalidation (spec page 1, section 7). */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: Infinity,
      retry: false,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      networkMode: 'always',
    },
    // Offline, a mutation fails at once instead of being paused.
    mutations: { networkMode: 'always' },
  },
})

leaveWhenSessionEnds(queryClient, () => void router.invalidate())
// Not part of the first load, and nothing for visitors.
onceSignedIn(queryClient, async () => {
  const { discardSampleDataOnceHidden } = await import('./shell/discard-sample-data.ts')
  discardSampleDataOnceHidden(queryClient)
})

/** Site map: every URL of the application; the public pages are in `web/site`. */
const routeTree = rootRoute.addChildren([
  homeRoute,
  authRoute,
  forgotRoute,
  resetRoute,
  emailProofRoute,
  emailRoute,
  twoFactorRoute,
  welcomeRoute,
  onboardingRoute,
  demoRoute,
  invitationRoute,
  patientFormRoute,
  shellRoute.addChildren([
    dashboardRoute,
    importRoute,
    patientsRoute.addChildren([patientRoute]),
    appointmentsRoute,
    insightsRoute,
    formsRoute,
    formRoute,
    fillFormRoute,
    insuranceRoute,
    analyticsRoute,
    automationRoute,
    underDevelopmentRoute,
    settingsRoute,
    teamRoute,
    subscriptionRoute,
    manageSubscriptionRoute,
    billingPortalRoute,
  ]),
])

export const router = createRouter({
  routeTree,
  context: { queryClient },
  defaultPendingComponent: LoadingScreen,
  // Otherwise the screen would wait for half a second after it is there, on each device that is slow enough to show the placeholder.
  defaultPendingMinMs: 0,
  defaultErrorComponent: ScreenError,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
