import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { CurrentUser } from '#contracts/accounts.ts'
import { currentUserQuery, refreshCurrentUser } from '#web/entities/accounts/current-user.ts'

const user: CurrentUser = {
  id: '018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0001' as CurrentUser['id'],
  username: 'ada',
  email: 'ada@example.test',
  firstName: 'Ada',
  lastName: 'Okafor',
  role: 'doctor',
  practiceId: null,
  isOwner: false,
  permissions: [],
  subscriptionStatus: 'trial',
  subscriptionTier: 'professional',
  hasLapsed: false,
  pastDueUntil: null,
  hasOpenInvoice: false,
  isRemovingSamples: false,
  newsletterOptIn: false,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  isDemoUser: false,
  isDemo: false,
  isActiveSubscriber: true,
  isAuthenticated: true,
}
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
