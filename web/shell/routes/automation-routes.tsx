import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import type { AutomationSearch } from '#web/features/automation/automation-search.ts'
import { shellRoute } from '#web/shell/shell-route.tsx'

/** `/automation`: the automation hub; tab, status, page and the open details are in the URL. */
export const automationRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/automation',
  // The screen parses it: a parser here would be loaded with the sign-in screen.
  validateSearch: (raw: Record<string, unknown>) => raw as AutomationSearch,
  component: lazyRouteComponent(() => import('#web/features/automation/automation-screen.tsx'), 'AutomationScreen'),
})
