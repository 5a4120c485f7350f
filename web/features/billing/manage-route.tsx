import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '#web/app/shell-route.tsx'

/** `/manage-subscription`: what the practice pays for. */
export const manageSubscriptionRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/manage-subscription',
  component: lazyRouteComponent(() => import('./manage-screen.tsx'), 'ManageSubscriptionScreen'),
})

/** `/billing-portal`: the sandbox's page, where a payment provider would have one of its own. */
export const billingPortalRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/billing-portal',
  component: lazyRouteComponent(() => import('./sandbox-portal-screen.tsx'), 'SandboxPortalScreen'),
})
