import { type QueryClient, queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { type CurrentUser, currentUser } from '#contracts/accounts.ts'
import type { Permission } from '#contracts/values/roles.ts'
import { ApiProblem, call } from '#web/api/call.ts'

/** Who is signed in; null when nobody is (spec: a 401 on this call is no user). */
export const currentUserQuery = queryOptions({
  queryKey: ['user'],
  queryFn: async ({ signal }): Promise<CurrentUser | null> => {
    try {
      return await call(currentUser, {}, signal)
    } catch (error) {
      if (error instanceof ApiProblem && error.status === 401) return null
      throw error
    }
  },
})

/**
 * Reads anew what the person in front of this screen may do. Whoever was signed out meanwhile keeps the screen, and what
 * they typed: the next thing they save says so.
 */
export async function refreshCurrentUser(queries: QueryClient): Promise<void> {
  const user = await call(currentUser, {}).catch(() => null)
  if (user) queries.setQueryData(currentUserQuery.queryKey, user)
}

/** The person in front of this screen, or null. */
export const useCurrentUser = (): CurrentUser | null => useSuspenseQuery(currentUserQuery).data

/**
 * Whether this person is shown the sample practice's figures. Whose subscription is over is a demo user again, and has records
 * of their own: those must not be mixed with a sample.
 */
export const isShownSampleData = ({ isDemoUser, hasLapsed }: Pick<CurrentUser, 'isDemoUser' | 'hasLapsed'>): boolean =>
  isDemoUser && !hasLapsed

/** Whether that person may do something; the server checks again. */
export function useHasPermission(permission: Permission): boolean {
  const { data } = useQuery(currentUserQuery)
  return data?.permissions.includes(permission) ?? false
}
