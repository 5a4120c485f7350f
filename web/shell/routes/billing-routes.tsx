import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { z } from 'zod'
import { PlanId } from '#contracts/values/plans.ts'
import { currentUserQuery } from '#web/entities/accounts/current-user.ts'
import { keepChosenPlan } from '#web/entities/billing/chosen-plan.ts'
import { shellRoute } from '#web/shell/shell-route.tsx'

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
  beforeLoad: async ({ context: { queryClient }, search: { plan, step } }) => {
    const user = await queryClient.ensureQueryData(currentUserQuery)
    if (!plan || !user) return
    keepChosenPlan(plan, user.id)
    // A plan belongs to a practice; the wizard ends with the payment.
    if (step && user.practiceId === null) throw redirect({ to: '/onboarding' })
  },
  component: lazyRouteComponent(() => import('#web/features/billing/subscription-screen.tsx'), 'SubscriptionScreen'),
})
