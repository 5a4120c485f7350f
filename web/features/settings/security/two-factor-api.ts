import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Reply } from '#contracts/endpoint.ts'
import {
  disableTwoFactor,
  enableTwoFactor,
  replaceRecoveryCodes,
  setUpTwoFactor,
  twoFactorStatus,
} from '#contracts/two-factor.ts'
import { call } from '#web/api/call.ts'
import { practiceKeys } from '#web/entities/practices/practice-keys.ts'

type PasswordAndCode = { password: string; code: string }
export type TwoFactorStatus = Reply<typeof twoFactorStatus>
export type TwoFactorSetUp = Reply<typeof setUpTwoFactor>

/** Query for the user's second factor; fetched again whenever the tab is opened. */
export const twoFactorQuery = queryOptions({
  queryKey: ['account', 'two-factor'],
  queryFn: ({ signal }) => call(twoFactorStatus, {}, signal),
  staleTime: 0,
})

/** Refetches the user's second factor, and the safeguards that rest on it. */
const refetchTwoFactor = (queries: QueryClient) => {
  void queries.invalidateQueries({ queryKey: practiceKeys.safeguards })
  return queries.invalidateQueries({ queryKey: twoFactorQuery.queryKey })
}

/** Returns the mutations of the user's second factor. Nothing of them is kept in the cache after the screen is left. */
export function useTwoFactor() {
  const queries = useQueryClient()
  // Also after a failure: the reply may be lost, or another window may have changed it.
  const onSettled = () => refetchTwoFactor(queries)
  return {
    setUp: useMutation({ mutationFn: (password: string) => call(setUpTwoFactor, { body: { password } }), gcTime: 0 }),
    disable: useMutation({ mutationFn: (body: PasswordAndCode) => call(disableTwoFactor, { body }), onSettled }),
    replaceCodes: useMutation({
      mutationFn: (body: PasswordAndCode) => call(replaceRecoveryCodes, { body }),
      onSettled,
      gcTime: 0,
    }),
  }
}

/** Returns the mutation that turns the second factor on. */
export function useEnableTwoFactor() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (code: string) => call(enableTwoFactor, { body: { code } }),
    onSettled: () => refetchTwoFactor(queries),
    gcTime: 0,
  })
}
