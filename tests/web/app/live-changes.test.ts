import { QueryClient } from '@tanstack/react-query'
import { describe, expect, it } from 'vitest'
import { applyNews, isConcerned } from '#web/app/live-changes.ts'

const march = ['appointments', 'days', { from: '2027-03-01', until: '2027-03-31' }]
const second = ['appointments', 'days', { from: '2027-03-02', until: '2027-03-02' }]

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
    expect(isConcerned(second, { kind: 'appointments', dates: ['2027-03-03'] })).toBe(false)
    expect(isConcerned(march, { kind: 'appointments', dates: ['2027-03-03'] })).toBe(true)
    expect(isConcerned(second, { kind: 'appointments' })).toBe(true)
    expect(isConcerned(['appointments', 'free', {}], { kind: 'appointments', dates: ['2027-03-03'] })).toBe(true)
  })

  it('is fetched again, and nothing else', () => {
    const { queries, stale } = shown()
    applyNews(queries, [{ hint: { kind: 'appointments', dates: ['2027-03-03'] } }])
    expect(stale()).toEqual([march, ['appointments', 'free', {}]])
    applyNews(queries, [{ hint: { kind: 'patients' } }])
    expect(stale()).toContainEqual(['patients', 'list', {}])
    expect(stale()).not.toContainEqual(['practice', 'x'])
  })

  it('is what is paid for and what it opens, once that changed', () => {
    const { queries, stale } = shown()
    applyNews(queries, [{ hint: { kind: 'subscription' } }])
    expect(stale()).toEqual([['user']])
  })

  it('is everything after the connection was away, but never who is signed in', () => {
    const { queries, stale } = shown()
    applyNews(queries, [{ missed: true }])
    expect(stale()).toHaveLength(5)
    expect(stale()).not.toContainEqual(['user'])
  })
})
