import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, it, vi } from 'vitest'
import { currentUserQuery } from '#web/entities/accounts/current-user.ts'
import { refreshPermissions } from '#web/features/team/team-keys.ts'
import { user } from '#tests/web/entities/accounts/sample-user.ts'

afterEach(() => vi.unstubAllGlobals())

it('fetches what is on screen again when the permissions of the user have changed', async () => {
  const { queries, reply } = startRefresh()
  const refreshed = refreshPermissions(queries)
  reply.resolve(Response.json({ ...user, permissions: ['settings'] }))
  await refreshed
  expect(queries.getQueryState(['patients'])?.isInvalidated).toBe(true)
})

it('fetches nothing again when they are the same', async () => {
  const { queries, reply } = startRefresh()
  const refreshed = refreshPermissions(queries)
  reply.resolve(Response.json(user))
  await refreshed
  expect(queries.getQueryState(['patients'])?.isInvalidated).toBe(false)
})

it('fetches nothing again when the user has signed out before the reply', async () => {
  const { queries, reply } = startRefresh()
  const refreshed = refreshPermissions(queries)
  queries.setQueryData(currentUserQuery.queryKey, null)
  reply.resolve(Response.json(user))
  await refreshed
  expect(queries.getQueryState(['patients'])?.isInvalidated).toBe(false)
})

/** Returns a cache with a user and a list, and the reply that the next request waits for. */
function startRefresh() {
  const reply = Promise.withResolvers<Response>()
  vi.stubGlobal('fetch', () => reply.promise)
  const queries = new QueryClient()
  queries.setQueryData(currentUserQuery.queryKey, user)
  queries.setQueryData(['patients'], [])
  return { queries, reply }
}
