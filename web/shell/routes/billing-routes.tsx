import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { z } from 'zod'
import { PlanId } from '#contracts/values/plans.ts'
import { rootRoute } from '#web/shell/root-route.tsx'
import { shellRoute } from '#web/shell/shell-route.tsx'

/** `/pricing`: public prices. */
export const pricingRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/pricing',
  component: lazyRouteComponent(() => import('#web/features/billing/plans/pricing-page.tsx'), 'PricingPage'),
})

/**
 * `/subscription`: choosing a plan and, with `step=payment`, paying for it. The step is in the URL so that it survives a
 * reload, and because the server allows Stripe's scripts (content security policy) at that URL only.
 */
export const subscriptionRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/subscription',
  validateSearch: z.object({
    plan: PlanId.optional().catch(undefined),
    step: z.literal('payment').optional().catch(undefined),
  }),
  component: lazyRouteComponent(() => import('#web/features/billing/subscription-screen.tsx'), 'SubscriptionScreen'),
})
