import type { QueryClient } from '@tanstack/react-query'
import { currentUserQuery } from '#web/entities/accounts/current-user.ts'

/** Calls a function once, when a user is first known to be signed in. */
export function onceSignedIn(queries: QueryClient, act: () => Promise<void>): void {
  const stop = queries.getQueryCache().subscribe(() => {
    if (!queries.getQueryData(currentUserQuery.queryKey)) return
    stop()
    void act()
  })
}
