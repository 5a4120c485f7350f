import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '#web/shell/shell-route.tsx'

/** `/manage-subscription`: what the practice pays for. */
export const manageSubscriptionRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/manage-subscription',
  component: lazyRouteComponent(
    () => import('#web/features/billing/manage/manage-subscription-screen.tsx'),
    'ManageSubscriptionScreen',
  ),
})

/** `/billing-portal`: the sandbox's page, where a payment provider would have one of its own. */
export const billingPortalRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/billing-portal',
  component: lazyRouteComponent(
    () => import('#web/features/billing/sandbox-portal/sandbox-portal-screen.tsx'),
    'SandboxPortalScreen',
  ),
})
