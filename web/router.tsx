import { QueryClient } from '@tanstack/react-query'
import { createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { ApiProblem } from './app/call.ts'
import { currentUserQuery } from './app/current-user.ts'
import { LoadingScreen } from './app/loading-screen.tsx'
import { rootRoute } from './app/root-route.tsx'
import { ScreenFailed } from './app/screen-failed.tsx'
import { shellRoute } from './app/shell-route.tsx'
import { authRoute, welcomeRoute } from './features/accounts/route.tsx'
import { appointmentsRoute } from './features/appointments/route.tsx'
import { billingPortalRoute, manageSubscriptionRoute } from './features/billing/manage-route.tsx'
import { pricingRoute, subscriptionRoute } from './features/billing/route.tsx'
import { dashboardRoute, demoRoute, homeRoute, underDevelopmentRoute } from './features/dashboard/route.tsx'
import { importRoute, patientRoute, patientsRoute } from './features/patients/route.tsx'
import { onboardingRoute } from './features/practices/route.tsx'
import { settingsRoute } from './features/settings/route.tsx'

/** Data is never stale by itself, nothing is retried or refetched behind a person's back (spec page 1, section 7). */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: Infinity,
      retry: false,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      networkMode: 'always',
    },
    // Without a connection a call fails at once and says so, instead of waiting in silence.
    mutations: { networkMode: 'always' },
  },
})

// A session that ended while somebody worked: the next refused call leads to the sign-in screen. Not from an open form:
// what was typed would be gone. It says so itself when it is sent.
queries.getQueryCache().subscribe(({ type, query }) => {
  if (type !== 'updated' || !(query.state.error instanceof ApiProblem) || query.state.error.status !== 401) return
  if (
    !queries.getQueryData(currentUserQuery.queryKey) ||
    document.querySelector('[role=dialog] form, form[data-unsaved]')
  )
    return
  queries.setQueryData(currentUserQuery.queryKey, null)
  void router.invalidate()
})

const comingScreen = lazyRouteComponent(() => import('./features/coming/coming-screen.tsx'), 'ComingScreen')
const gatedScreen = lazyRouteComponent(() => import('./features/coming/gated-screen.tsx'), 'GatedScreen')
const comingPage = lazyRouteComponent(() => import('./features/coming/coming-page.tsx'), 'ComingPage')

/** A screen for signed-in people that is still to come. */
const soon = <const Path extends string>(path: Path) =>
  createRoute({ getParentRoute: () => shellRoute, path, component: comingScreen })
/** The same where not every plan opens it. */
const soonGated = <const Path extends string>(path: Path) =>
  createRoute({ getParentRoute: () => shellRoute, path, component: gatedScreen })
/** A public page that is still to come. */
const soonPublic = <const Path extends string>(path: Path) =>
  createRoute({ getParentRoute: () => rootRoute, path, component: comingPage })

/** The site map: every address of the product, one line each. */
const routeTree = rootRoute.addChildren([
  homeRoute,
  authRoute,
  welcomeRoute,
  onboardingRoute,
  soonPublic('/landing'),
  demoRoute,
  pricingRoute,
  soonPublic('/features/ai-insights'),
  soonPublic('/features/smart-scheduling'),
  soonPublic('/features/intelligent-forms'),
  soonPublic('/features/patient-management'),
  soonPublic('/features/analytics'),
  soonPublic('/features/team-management'),
  shellRoute.addChildren([
    dashboardRoute,
    importRoute,
    patientsRoute.addChildren([patientRoute]),
    appointmentsRoute,
    soonGated('/ai-insights'),
    soon('/forms'),
    soonGated('/insurance'),
    soonGated('/analytics'),
    soon('/automation'),
    underDevelopmentRoute,
    settingsRoute,
    subscriptionRoute,
    manageSubscriptionRoute,
    billingPortalRoute,
  ]),
])

export const router = createRouter({
  routeTree,
  context: { queries },
  defaultPendingComponent: LoadingScreen,
  defaultErrorComponent: ScreenFailed,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
