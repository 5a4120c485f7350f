import { QueryClient } from '@tanstack/react-query'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { applyUpdates } from '#web/api/live-updates.ts'
import { isAffectedByDates } from '#web/entities/appointments/appointment-keys.ts'
import { liveUpdateRules } from '#web/shell/live-updates.ts'

const march = ['appointments', 'days', { from: '2027-03-01', until: '2027-03-31' }, 'UTC']
const second = ['appointments', 'days', { from: '2027-03-02', until: '2027-03-02' }, 'UTC']

const user = {
  id: '018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0001',
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

afterEach(() => vi.unstubAllGlobals())

function createCache() {
  const queries = new QueryClient()
  for (const key of [
    march,
    second,
    ['appointments', 'free', {}],
    ['patients', 'list', {}],
    ['practice', 'x'],
    ['user'],
  ])
    queries.setQueryData(key, [])
  const getStale = () =>
    queries
      .getQueryCache()
      .getAll()
      .filter(({ state }) => state.isInvalidated)
      .map(({ queryKey }) => queryKey)
  return { queries, getStale }
}

describe('live updates', () => {
  it('affect the dates they name, and queries without dates', () => {
    expect(isAffectedByDates(second, { kind: 'appointments', dates: ['2027-03-03'] })).toBe(false)
    expect(isAffectedByDates(march, { kind: 'appointments', dates: ['2027-03-03'] })).toBe(true)
    expect(isAffectedByDates(second, { kind: 'appointments' })).toBe(true)
    expect(isAffectedByDates(['appointments', 'free', {}], { kind: 'appointments', dates: ['2027-03-03'] })).toBe(true)
  })

  it('invalidate what changed, and nothing else', () => {
    const { queries, getStale } = createCache()
    applyUpdates(queries, liveUpdateRules, [{ hint: { kind: 'appointments', dates: ['2027-03-03'] } }])
    expect(getStale()).toEqual([march, ['appointments', 'free', {}]])
    applyUpdates(queries, liveUpdateRules, [{ hint: { kind: 'patients' } }])
    expect(getStale()).toContainEqual(['patients', 'list', {}])
    expect(getStale()).not.toContainEqual(['practice', 'x'])
  })

  it('invalidate what shows local dates and times when the practice changes, which may be its time zone', () => {
    const { queries, getStale } = createCache()
    applyUpdates(queries, liveUpdateRules, [{ hint: { kind: 'practice' } }])
    expect(getStale()).toEqual([march, second, ['appointments', 'free', {}], ['practice', 'x']])
  })

  it('refresh the subscription and the current user, but keep the user when the session has expired', async () => {
    const { queries, getStale } = createCache()
    const before = { ...user, subscriptionStatus: 'demo' }
    queries.setQueryData(['subscription', 'status'], null)
    queries.setQueryData(['user'], before)
    const applyHint = async (status: number, body: object) => {
      const requested = Promise.withResolvers<void>()
      vi.stubGlobal('fetch', () => {
        requested.resolve()
        return Promise.resolve(Response.json(body, { status }))
      })
      applyUpdates(queries, liveUpdateRules, [{ hint: { kind: 'subscription' } }])
      await requested.promise
    }
    const getUser = () => queries.getQueryData(['user'])
    const problem = { type: 'about:blank', title: 'Signed out', status: 401, code: 'signed-out' }
    await applyHint(401, problem)
    // Long enough for the refusal to be applied, if it were.
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(getUser()).toEqual(before)
    await applyHint(200, user)
    await expect.poll(getUser).toMatchObject({ subscriptionStatus: 'trial' })
    expect(getStale()).toEqual([['subscription', 'status']])
  })

  it('invalidate everything after a lost connection, except the current user', () => {
    const { queries, getStale } = createCache()
    applyUpdates(queries, liveUpdateRules, [{ missed: true }])
    expect(getStale()).toHaveLength(5)
    expect(getStale()).not.toContainEqual(['user'])
  })
})
