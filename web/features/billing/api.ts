import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { changePlan, createSubscription, listPlans } from '#contracts/billing.ts'
import { confirmSandboxPayment } from '#contracts/billing-sandbox.ts'
import type { RequestInput } from '#contracts/endpoint.ts'
import type { PlanId } from '#contracts/values/plans.ts'
import { call } from '#web/api/call.ts'
import { refreshSubscription, subscriptionKeys, subscriptionStatusQuery } from '#web/entities/billing/subscription.ts'

/** Query for the available plans. */
export const plansQuery = queryOptions({
  queryKey: subscriptionKeys.plans,
  queryFn: ({ signal }) => call(listPlans, {}, signal),
})

/**
 * Query for the client secret with which a plan is paid. Until it is paid, the server returns the same one, so that the
 * payment step survives a reload.
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

/** Returns the mutation that chooses a plan, which invalidates the client secrets of plans chosen before. */
export function useCreateSubscription() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (planType: PlanId) => {
      queries.removeQueries({ queryKey: subscriptionKeys.checkouts })
      return queries.fetchQuery(checkoutQuery(planType))
    },
  })
}

/** Returns the mutation that pays in the sandbox. `gcTime` 0: the card is not kept in the cache. */
export const useConfirmSandboxPayment = () =>
  useMutation({
    mutationFn: (body: RequestInput<typeof confirmSandboxPayment>['body']) => call(confirmSandboxPayment, { body }),
    gcTime: 0,
  })

/** Returns the mutation that changes to another plan. */
export function useChangePlan() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (priceId: string) => call(changePlan, { body: { priceId } }),
    onSuccess: async (status) => {
      queries.setQueryData(subscriptionStatusQuery.queryKey, status)
      await refreshSubscription(queries)
    },
    // It may have happened all the same.
    onError: () => refreshSubscription(queries),
  })
}
