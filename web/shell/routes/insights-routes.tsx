import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import type { InsightsSearch } from '#web/features/insights/insights-search.ts'
import { shellRoute } from '#web/shell/shell-route.tsx'

/** `/ai-insights`: the insights about the practice; the chosen type is in the URL. */
export const insightsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/ai-insights',
  // The screen parses it: a parser here would be loaded with the sign-in screen.
  validateSearch: (raw: Record<string, unknown>) => raw as InsightsSearch,
  component: lazyRouteComponent(() => import('#web/features/insights/insights-screen.tsx'), 'InsightsScreen'),
})
