import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { generateKey } from '#encryption/cipher.ts'
import { wrapKey } from '#encryption/data-keys.ts'
import { type CachedKeys, createCachedKey, createKeyCache } from '#encryption/key-cache.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const master = generateKey()

/** Returns keys as they arrive from PostgreSQL: slices of the buffer that the connection read at once. */
function receiveKeys(subjects: readonly string[]): CachedKeys {
  const received = Buffer.alloc(65_536)
  return new Map(
    subjects.map((subject, index) => {
      const wrapped = wrapKey(master, subject, generateKey())
      const start = index * wrapped.length
      wrapped.copy(received, start)
      return [subject, createCachedKey(received.subarray(start, start + wrapped.length))]
    }),
  )
}

it('keeps a key in memory of its own, not the buffer in which it arrived', () => {
  const cache = createKeyCache({ maxKeys: 10, ttlMs: 5_000 })
  const keys = receiveKeys(['a', 'b'])
  cache.add(keys, cache.getGeneration())
  for (const [subject, key] of cache.find(['a', 'b']).found) {
    expect(key?.wrapped.equals(keys.get(subject)?.wrapped ?? Buffer.alloc(0))).toBe(true)
    expect(key?.wrapped.buffer.byteLength).toBe(60)
  }
})

it('removes keys from memory when their time is over, also when nothing asks for them', () => {
  const cache = createKeyCache({ maxKeys: 10, ttlMs: 5_000 })
  cache.add(receiveKeys(['a']), cache.getGeneration())
  vi.advanceTimersByTime(3_000)
  cache.add(receiveKeys(['b']), cache.getGeneration())
  expect(cache.find(['a', 'b']).missing).toEqual([])
  vi.advanceTimersByTime(2_000)
  expect([cache.getSize(), cache.find(['a', 'b']).missing]).toEqual([1, ['a']])
  vi.advanceTimersByTime(5_000)
  expect(cache.getSize()).toBe(0)
})

it('evicts the oldest keys beyond its limit', () => {
  const cache = createKeyCache({ maxKeys: 2, ttlMs: 5_000 })
  for (const subject of ['a', 'b', 'c']) cache.add(receiveKeys([subject]), cache.getGeneration())
  expect(cache.find(['a', 'b', 'c']).missing).toEqual(['a'])
})

it('ignores keys that were loaded before it was cleared', () => {
  const cache = createKeyCache({ maxKeys: 2, ttlMs: 5_000 })
  const before = cache.getGeneration()
  cache.clear()
  cache.add(receiveKeys(['a']), before)
  expect(cache.getSize()).toBe(0)
})
