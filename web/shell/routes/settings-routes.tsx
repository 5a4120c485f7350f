import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { parseSettingsSearch } from '#web/features/settings/settings-search.ts'
import { shellRoute } from '#web/shell/shell-route.tsx'

/** `/practice`: settings of the practice; the tab is in the URL. */
export const settingsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/practice',
  validateSearch: parseSettingsSearch,
  component: lazyRouteComponent(() => import('#web/features/settings/settings-screen.tsx'), 'SettingsScreen'),
})
