import { QueryClient } from '@tanstack/react-query'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { applyUpdates, isAffected } from '#web/api/live-updates.ts'

const march = ['appointments', 'days', { from: '2027-03-01', until: '2027-03-31' }]
const second = ['appointments', 'days', { from: '2027-03-02', until: '2027-03-02' }]

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
  newsletterOptIn: false,
  isDemoUser: false,
  isDemo: false,
  isActiveSubscriber: true,
  isAuthenticated: true,
}

afterEach(() => vi.unstubAllGlobals())

function shown() {
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
  const stale = () =>
    queries
      .getQueryCache()
      .getAll()
      .filter(({ state }) => state.isInvalidated)
      .map(({ queryKey }) => queryKey)
  return { queries, stale }
}

describe('what colleagues change', () => {
  it('concerns the days it names, and what is not a list of days', () => {
    expect(isAffected(second, { kind: 'appointments', dates: ['2027-03-03'] })).toBe(false)
    expect(isAffected(march, { kind: 'appointments', dates: ['2027-03-03'] })).toBe(true)
    expect(isAffected(second, { kind: 'appointments' })).toBe(true)
    expect(isAffected(['appointments', 'free', {}], { kind: 'appointments', dates: ['2027-03-03'] })).toBe(true)
  })

  it('is fetched again, and nothing else', () => {
    const { queries, stale } = shown()
    applyUpdates(queries, [{ hint: { kind: 'appointments', dates: ['2027-03-03'] } }])
    expect(stale()).toEqual([march, ['appointments', 'free', {}]])
    applyUpdates(queries, [{ hint: { kind: 'patients' } }])
    expect(stale()).toContainEqual(['patients', 'list', {}])
    expect(stale()).not.toContainEqual(['practice', 'x'])
  })

  it('is what is paid for and what it opens, but takes nothing from whoever was signed out', async () => {
    const { queries, stale } = shown()
    const before = { ...user, subscriptionStatus: 'demo' }
    queries.setQueryData(['subscription', 'status'], null)
    queries.setQueryData(['user'], before)
    const isAsked = async (status: number, body: object) => {
      const asked = Promise.withResolvers<void>()
      vi.stubGlobal('fetch', () => {
        asked.resolve()
        return Promise.resolve(Response.json(body, { status }))
      })
      applyUpdates(queries, [{ hint: { kind: 'subscription' } }])
      await asked.promise
    }
    const shownUser = () => queries.getQueryData(['user'])
    const problem = { type: 'about:blank', title: 'Signed out', status: 401, code: 'signed-out' }
    await isAsked(401, problem)
    // Long enough for the refusal to be taken over, if it were.
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(shownUser()).toEqual(before)
    await isAsked(200, user)
    await expect.poll(shownUser).toMatchObject({ subscriptionStatus: 'trial' })
    expect(stale()).toEqual([['subscription', 'status']])
  })

  it('is everything after the connection was away, but never who is signed in', () => {
    const { queries, stale } = shown()
    applyUpdates(queries, [{ missed: true }])
    expect(stale()).toHaveLength(5)
    expect(stale()).not.toContainEqual(['user'])
  })
})
