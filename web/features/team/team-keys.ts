import type { QueryClient } from '@tanstack/react-query'
import type { LiveUpdateRule } from '#web/api/live-updates.ts'
import { currentUserQuery, refreshCurrentUser } from '#web/entities/accounts/current-user.ts'

const all = ['team'] as const

/** Query keys of the team and of invitations. */
export const teamKeys = {
  all,
  invitation: (token: string) => ['invitation', token],
} as const

/**
 * Refetches the current user. With other permissions, everything on screen is fetched again: it may show less or more. Nothing
 * is when the user has signed out before the reply.
 */
export async function refreshPermissions(queries: QueryClient): Promise<void> {
  const getPermissions = () => queries.getQueryData(currentUserQuery.queryKey)?.permissions.join(' ')
  const before = getPermissions()
  await refreshCurrentUser(queries)
  const after = getPermissions()
  if (after !== undefined && after !== before) await queries.invalidateQueries()
}

/** Live updates also refetch the current user, whose role may have changed. */
export const teamLiveUpdates: LiveUpdateRule = {
  queryKeys: { team: [all] },
  onChange: (queries) => void refreshPermissions(queries),
}
