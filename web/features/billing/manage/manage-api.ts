import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { cancelSubscription, reactivateSubscription, type SubscriptionView } from '#contracts/billing.ts'
import { advanceSandbox, sandboxPortal } from '#contracts/billing-sandbox.ts'
import { call } from '#web/api/call.ts'
import { refreshSubscription, subscriptionKeys, subscriptionStatusQuery } from '#web/entities/billing/subscription.ts'

/** Query for the sandbox's data of a practice: card, invoices, and test clock. */
export const sandboxPortalQuery = queryOptions({
  queryKey: subscriptionKeys.portal,
  queryFn: ({ signal }) => call(sandboxPortal, {}, signal),
  staleTime: 0,
})

/** Refetches everything that a payment changes. */
export async function refreshSandboxPortal(queries: QueryClient): Promise<void> {
  await Promise.all([
    refreshSubscription(queries),
    queries.invalidateQueries({ queryKey: sandboxPortalQuery.queryKey }),
  ])
}

/** Caches the reply, then refetches status, user and portal (spec page 1, section 7). */
async function applySubscriptionChange(queries: QueryClient, status: SubscriptionView): Promise<void> {
  queries.setQueryData(subscriptionStatusQuery.queryKey, status)
  await refreshSandboxPortal(queries)
}

/** Returns the mutation that cancels the subscription at the end of the current period. */
export function useCancelSubscription() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => call(cancelSubscription, {}),
    onSuccess: (status) => applySubscriptionChange(queries, status),
    onError: () => refreshSubscription(queries),
  })
}

/** Returns the mutation that revokes the cancellation. */
export function useReactivateSubscription() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => call(reactivateSubscription, {}),
    onSuccess: (status) => applySubscriptionChange(queries, status),
    onError: () => refreshSubscription(queries),
  })
}

/** Returns the mutation that advances the sandbox's test clock. */
export function useAdvanceTestClock() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (days: number) => call(advanceSandbox, { body: { days } }),
    onSuccess: () => refreshSandboxPortal(queries),
  })
}
