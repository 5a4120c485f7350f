import { hashKey, type QueryClient } from '@tanstack/react-query'
import { logout } from '#contracts/accounts.ts'
import { call } from '#web/api/call.ts'
import { forgetIntents } from '#web/api/intent.ts'
import { announceToOtherWindows, type SessionMessage } from '#web/api/session-channel.ts'
import { loadThemePreference, saveThemePreference } from '#web/ui/theme-storage.ts'
import { forgetChosenPlan } from '#web/entities/billing/chosen-plan.ts'
import { currentUserQuery } from './current-user.ts'
import { forgetLastInput } from '#web/api/last-input.ts'

/** Ends the session on the server and in the other windows. Throws `ApiProblem` when the server cannot be reached. */
export async function endSession(reason?: Extract<SessionMessage, { kind: 'signed-out' }>['reason']): Promise<void> {
  const theme = loadThemePreference()
  try {
    await call(logout, { query: { reason } })
    // The reply makes the browser clear everything that this site has stored; the theme belongs to the device.
    saveThemePreference(theme)
  } finally {
    // An idle session ends in every window even if the server cannot be reached.
    if (reason === 'idle') announceToOtherWindows({ kind: 'signed-out', reason })
  }
  if (reason !== 'idle') announceToOtherWindows({ kind: 'signed-out' })
}

/**
 * Removes everything of the user from the memory of this window. `leave` shows another screen: those on display would fetch
 * what is removed again.
 */
export async function forgetUser(queries: QueryClient, leave: () => Promise<void>): Promise<void> {
  await queries.cancelQueries()
  queries.setQueryData(currentUserQuery.queryKey, null)
  sessionStorage.clear()
  forgetChosenPlan()
  // The reply to the sign-out clears the storage, but not in every browser, nor on plain http.
  forgetLastInput()
  await leave()
  removeUserData(queries)
}

/** Removes all cached data but the current user from this window, and the contents of unconfirmed writes. */
export function removeUserData(queries: QueryClient): void {
  forgetIntents()
  queries.removeQueries({ predicate: ({ queryHash }) => queryHash !== hashKey(currentUserQuery.queryKey) })
  queries.getMutationCache().clear()
}
