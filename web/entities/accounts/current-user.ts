import { type QueryClient, queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { type CurrentUser, currentUser } from '#contracts/accounts.ts'
import { liveUpdatesFrom } from '#contracts/changes.ts'
import type { Permission } from '#contracts/values/roles.ts'
import { ApiProblem, call, readWithHeader } from '#web/api/call.ts'
import { noteLiveUpdatesPoint } from '#web/api/live-updates.ts'

/** Query for the signed-in user; null when signed out (spec: a 401 on this call means no user). */
export const currentUserQuery = queryOptions({
  queryKey: ['user'],
  queryFn: async ({ client, queryKey, signal }): Promise<CurrentUser | null> => {
    try {
      const { reply, header: point } = await readWithHeader(currentUser, {}, liveUpdatesFrom, signal)
      // The first reply of a window: everything else is fetched after it.
      if (point !== null && client.getQueryData(queryKey) === undefined) noteLiveUpdatesPoint(client, point)
      return reply
    } catch (error) {
      if (error instanceof ApiProblem && error.status === 401) return null
      throw error
    }
  },
})

/**
 * Refetches the current user, for example to update permissions. An expired session is ignored: the screen and its unsaved
 * input remain, and the next save reports it. A late reply does not bring back a user who has signed out.
 */
export async function refreshCurrentUser(queries: QueryClient): Promise<void> {
  const user = await call(currentUser, {}).catch(() => null)
  if (!user || queries.getQueryData(currentUserQuery.queryKey)?.id !== user.id) return
  queries.setQueryData(currentUserQuery.queryKey, user)
}

/** Returns the signed-in user, or null. */
export const useCurrentUser = (): CurrentUser | null => useSuspenseQuery(currentUserQuery).data

/** Returns whether the current user has a permission; the server checks it again. */
export function useHasPermission(permission: Permission): boolean {
  const { data } = useQuery(currentUserQuery)
  return data?.permissions.includes(permission) ?? false
}
