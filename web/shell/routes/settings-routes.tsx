import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '#web/shell/shell-route.tsx'

/** `/practice`: settings of the practice. */
export const settingsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/practice',
  component: lazyRouteComponent(() => import('#web/features/settings/settings-screen.tsx'), 'SettingsScreen'),
})
