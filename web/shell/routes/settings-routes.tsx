import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '#web/shell/shell-route.tsx'

/** `/practice`: what the practice is called, asks and shows, and who works in it. */
export const settingsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/practice',
  component: lazyRouteComponent(() => import('#web/features/settings/settings-screen.tsx'), 'SettingsScreen'),
})
