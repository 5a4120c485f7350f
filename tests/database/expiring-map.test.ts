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
  expect([map.get('a'), map.get('b'), map.getCount()]).toEqual([undefined, 'second', 1])
  vi.advanceTimersByTime(3_000)
  expect(map.getCount()).toBe(0)
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

it('evicts the oldest entries beyond a total size, also the only one', () => {
  const map = createExpiringMap<string>({ maxSize: 10, ttlMs: 5_000 })
  map.set('a', 'a', 4)
  map.set('b', 'b', 4)
  map.set('a', 'a', 2)
  map.set('c', 'c', 4)
  expect(['a', 'b', 'c'].map(map.get)).toEqual(['a', 'b', 'c'])
  map.set('d', 'd', 5)
  expect(['a', 'b', 'c', 'd'].map(map.get)).toEqual([undefined, undefined, 'c', 'd'])
  map.set('e', 'e', 11)
  expect(map.getCount()).toBe(0)
  map.set('f', 'f', 10)
  expect(map.get('f')).toBe('f')
})

it('forgets everything when it is cleared', () => {
  const map = createExpiringMap<string>({ maxSize: 2, ttlMs: 5_000 })
  map.set('a', 'a')
  map.clear()
  expect([map.get('a'), map.getCount()]).toEqual([undefined, 0])
})
