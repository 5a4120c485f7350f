import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  changePassword,
  emailStatus,
  endOtherSessions,
  endSession,
  listSessions,
  requestEmailChange,
} from '#contracts/account-security.ts'
import type { Reply, RequestInput } from '#contracts/endpoint.ts'
import { call } from '#web/api/call.ts'

/** Query for the sessions of the signed-in user; fetched again whenever the list is opened. */
export const sessionsQuery = queryOptions({
  queryKey: ['account', 'sessions'],
  queryFn: async ({ signal }) => (await call(listSessions, {}, signal)).items,
  staleTime: 0,
})

/** Returns the mutation that ends one session by its id, or all others with null. */
export function useEndSession() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (sessionId: string | null) =>
      sessionId === null ? call(endOtherSessions, {}) : call(endSession, { params: { sessionId } }),
    // Also after a failure: the session may have ended by itself.
    onSettled: () => queries.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  })
}

export type EmailStatus = Reply<typeof emailStatus>

/** Query for the user's address, and the one that waits for its confirmation; fetched again whenever the tab is opened. */
export const emailQuery = queryOptions({
  queryKey: ['account', 'email'],
  queryFn: ({ signal }) => call(emailStatus, {}, signal),
  staleTime: 0,
})

/** Returns the mutation that requests a change of the address. */
export function useRequestEmailChange() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: RequestInput<typeof requestEmailChange>['body']) => call(requestEmailChange, { body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: emailQuery.queryKey }),
  })
}

/** Returns the mutation that changes the password, which ends all other sessions. */
export function useChangePassword() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: RequestInput<typeof changePassword>['body']) => call(changePassword, { body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  })
}
