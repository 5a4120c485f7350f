import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { CurrentUser } from '#contracts/accounts.ts'
import { currentUserQuery, refreshCurrentUser } from '#web/entities/accounts/current-user.ts'
import { user } from './sample-user.ts'

const key = currentUserQuery.queryKey

let reply: PromiseWithResolvers<Response>
beforeEach(() => {
  reply = Promise.withResolvers()
  vi.stubGlobal('fetch', () => reply.promise)
})
afterEach(() => vi.unstubAllGlobals())

it('refreshes the user who is signed in', async () => {
  const queries = new QueryClient()
  queries.setQueryData(key, user)
  const refreshed = refreshCurrentUser(queries)
  reply.resolve(Response.json({ ...user, permissions: ['settings'] }))
  await refreshed
  expect(queries.getQueryData(key)?.permissions).toEqual(['settings'])
})

it.each([
  ['no user', null],
  ['another user', { ...user, id: '018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0002' as CurrentUser['id'] }],
])('ignores a late reply when %s is signed in by then', async (_, next) => {
  const queries = new QueryClient()
  queries.setQueryData(key, user)
  const refreshed = refreshCurrentUser(queries)
  queries.setQueryData(key, next)
  reply.resolve(Response.json(user))
  await refreshed
  expect(queries.getQueryData(key)).toEqual(next)
})
