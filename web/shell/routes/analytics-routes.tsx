import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import type { AnalyticsSearch } from '#web/features/analytics/analytics-search.ts'
import { shellRoute } from '#web/shell/shell-route.tsx'

/** `/analytics`: the figures of the practice; period, provider and the open records are in the URL. */
export const analyticsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/analytics',
  // The screen parses it: a parser here would be loaded with the sign-in screen.
  validateSearch: (raw: Record<string, unknown>) => raw as AnalyticsSearch,
  component: lazyRouteComponent(() => import('#web/features/analytics/analytics-screen.tsx'), 'AnalyticsScreen'),
})
