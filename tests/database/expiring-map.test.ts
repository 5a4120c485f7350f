import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createExpiringMap } from '#database/expiring-map.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('removes an entry from memory when its time is over, also when nothing asks for it', () => {
  const map = createExpiringMap<string>({ maxSize: 10, ttlMs: 5_000 })
  map.set('a', 'first')
  vi.advanceTimersByTime(3_000)
  map.set('b', 'second')
  expect([map.get('a'), map.get('b')]).toEqual(['first', 'second'])
  vi.advanceTimersByTime(2_000)
  expect([map.get('a'), map.get('b'), map.getSize()]).toEqual([undefined, 'second', 1])
  vi.advanceTimersByTime(3_000)
  expect(map.getSize()).toBe(0)
})

it('keeps a replaced entry for its whole time', () => {
  const map = createExpiringMap<string>({ maxSize: 10, ttlMs: 5_000 })
  map.set('a', 'old')
  vi.advanceTimersByTime(4_000)
  map.set('a', 'new')
  vi.advanceTimersByTime(4_000)
  expect(map.get('a')).toBe('new')
})

it('evicts the oldest entry beyond its limit', () => {
  const map = createExpiringMap<string>({ maxSize: 2, ttlMs: 5_000 })
  for (const key of ['a', 'b', 'a', 'c']) map.set(key, key)
  expect(['a', 'b', 'c'].map(map.get)).toEqual(['a', undefined, 'c'])
})

it('forgets everything when it is cleared', () => {
  const map = createExpiringMap<string>({ maxSize: 2, ttlMs: 5_000 })
  map.set('a', 'a')
  map.clear()
  expect([map.get('a'), map.getSize()]).toEqual([undefined, 0])
})
