import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { changePlan, createSubscription, listPlans } from '#contracts/billing.ts'
import { confirmSandboxPayment } from '#contracts/billing-sandbox.ts'
import type { RequestInput } from '#contracts/endpoint.ts'
import type { PlanId } from '#contracts/values/plans.ts'
import { call } from '#web/api/call.ts'
import { refreshSubscription, subscriptionKeys, subscriptionStatusQuery } from '#web/entities/billing/subscription.ts'

/** The plans on offer. */
export const plansQuery = queryOptions({
  queryKey: subscriptionKeys.plans,
  queryFn: ({ signal }) => call(listPlans, {}, signal),
})

/**
 * The secret with which a plan is paid for. Asking again before it is paid gives the same one, so whoever reloads the
 * payment step goes on where they were.
 */
export const checkoutQuery = (planType: PlanId) =>
  queryOptions({
    queryKey: subscriptionKeys.checkout(planType),
    queryFn: async ({ signal }) => {
      const checkout = await call(createSubscription, { body: { planType } }, signal)
      if (checkout.clientSecret === '') throw new Error('No client secret received from server')
      return checkout
    },
  })

/** Chooses a plan. A secret of a plan that was chosen before is worth nothing any more, and is forgotten. */
export function useCreateSubscription() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (planType: PlanId) => {
      queries.removeQueries({ queryKey: subscriptionKeys.checkouts })
      return queries.fetchQuery(checkoutQuery(planType))
    },
  })
}

/** Pays in the sandbox. The card is sent, never kept: not even as long as the screen lives. */
export const useConfirmSandboxPayment = () =>
  useMutation({
    mutationFn: (body: RequestInput<typeof confirmSandboxPayment>['body']) => call(confirmSandboxPayment, { body }),
    gcTime: 0,
  })

/** Changes to another plan of the list. */
export function useChangePlan() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (priceId: string) => call(changePlan, { body: { priceId } }),
    onSuccess: async (status) => {
      queries.setQueryData(subscriptionStatusQuery.queryKey, status)
      await refreshSubscription(queries)
    },
  })
}
