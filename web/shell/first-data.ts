import type { QueryClient } from '@tanstack/react-query'
import type { CurrentUser } from '#contracts/accounts.ts'
import { hasEarlyReplies } from '#web/api/early-replies.ts'
import { currentUserQuery } from '#web/entities/accounts/current-user.ts'

/** Loads what a screen shows first to a user of a practice. */
export type LoadFirst = (queries: QueryClient, user: CurrentUser, practiceId: string) => Promise<unknown>

/** Milliseconds that a first screen waits for early replies that have not arrived: it shows placeholders then. */
const maxWaitMs = 100

/**
 * Loads what the first screen of a window shows, from its early replies (`web/early`), before it is rendered: otherwise a phone renders
 * it without data first. Does nothing for later screens, which appear at once and then load their data.
 */
export async function loadFirstData(queries: QueryClient, importLoad: () => Promise<LoadFirst>): Promise<void> {
  // Those for an address that says more about its screen are not of the screen.
  if (!hasEarlyReplies() || window.location.search !== '') return
  const load = await importLoad()
  const user = queries.getQueryData(currentUserQuery.queryKey)
  if (!user?.practiceId || !hasEarlyReplies()) return
  // The screen reports what could not be loaded.
  const loaded = load(queries, user, user.practiceId).catch(() => undefined)
  await Promise.race([loaded, new Promise((resolve) => setTimeout(resolve, maxWaitMs))])
}
