import type { QueryClient } from '@tanstack/react-query'
import type { CurrentUser } from '#contracts/accounts.ts'
import { announceToOtherWindows } from '#web/api/session-channel.ts'
import { currentUserQuery } from './current-user.ts'
import { removeUserData } from './end-session.ts'

/**
 * Caches the user who signed in. A session that ended on the server has left the data of its user in this window, and other
 * windows may still show it: neither belongs to the new session.
 */
export function beginSession(queries: QueryClient, user: CurrentUser): void {
  removeUserData(queries)
  queries.setQueryData(currentUserQuery.queryKey, user)
  announceToOtherWindows({ kind: 'signed-in', userId: user.id, practiceId: user.practiceId })
}
