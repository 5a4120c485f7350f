import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { cancelSubscription, reactivateSubscription, type SubscriptionView } from '#contracts/billing.ts'
import { advanceSandbox, sandboxPortal } from '#contracts/billing-sandbox.ts'
import { call } from '#web/api/call.ts'
import { refreshSubscription, subscriptionKeys, subscriptionStatusQuery } from '#web/entities/billing/subscription.ts'

/** What the sandbox keeps of a practice: its card, its bills, and what its test clock shows. */
export const sandboxPortalQuery = queryOptions({
  queryKey: subscriptionKeys.portal,
  queryFn: ({ signal }) => call(sandboxPortal, {}, signal),
  staleTime: 0,
})

/** Has everything read anew that a payment changes. */
export async function refreshSandboxPortal(queries: QueryClient): Promise<void> {
  await Promise.all([
    refreshSubscription(queries),
    queries.invalidateQueries({ queryKey: sandboxPortalQuery.queryKey }),
  ])
}

/** The answer is shown at once; status, user and portal are read anew (spec page 1, section 7). */
async function applySubscriptionChange(queries: QueryClient, status: SubscriptionView): Promise<void> {
  queries.setQueryData(subscriptionStatusQuery.queryKey, status)
  await refreshSandboxPortal(queries)
}

/** Ends the subscription with the period that is paid for. */
export function useCancelSubscription() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => call(cancelSubscription, {}),
    onSuccess: (status) => applySubscriptionChange(queries, status),
  })
}

/** Takes the cancellation back. */
export function useReactivateSubscription() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => call(reactivateSubscription, {}),
    onSuccess: (status) => applySubscriptionChange(queries, status),
  })
}

/** Puts the sandbox's test clock forward. */
export function useAdvanceTestClock() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (days: number) => call(advanceSandbox, { body: { days } }),
    onSuccess: () => refreshSandboxPortal(queries),
  })
}
