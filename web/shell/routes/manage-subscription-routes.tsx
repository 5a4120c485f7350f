import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '#web/shell/shell-route.tsx'

/** `/manage-subscription`: the subscription of the practice. */
export const manageSubscriptionRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/manage-subscription',
  component: lazyRouteComponent(
    () => import('#web/features/billing/manage/manage-subscription-screen.tsx'),
    'ManageSubscriptionScreen',
  ),
})

/** `/billing-portal`: the sandbox's stand-in for the payment provider's billing portal. */
export const billingPortalRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/billing-portal',
  component: lazyRouteComponent(
    () => import('#web/features/billing/sandbox-portal/sandbox-portal-screen.tsx'),
    'SandboxPortalScreen',
  ),
})
