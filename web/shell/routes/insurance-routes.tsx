import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import type { InsuranceSearch } from '#web/features/insurance/insurance-search.ts'
import { shellRoute } from '#web/shell/shell-route.tsx'

/** `/insurance`: the verifications of insurance; filters, search, page and the open details are in the URL. */
export const insuranceRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/insurance',
  // The screen parses it: a parser here would be loaded with the sign-in screen.
  validateSearch: (raw: Record<string, unknown>) => raw as InsuranceSearch,
  component: lazyRouteComponent(() => import('#web/features/insurance/insurance-screen.tsx'), 'InsuranceScreen'),
})
