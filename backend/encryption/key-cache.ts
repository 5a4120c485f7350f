import { createExpiringMap } from '#database/expiring-map.ts'
import type { Key } from './cipher.ts'

declare const ownMemory: unique symbol

/** Bytes that are no slice of a larger buffer; `createCachedKey` alone makes them. */
type OwnBytes = Buffer & { readonly [ownMemory]: true }

/** A data key as it was loaded, unwrapped on first use; null when it was destroyed. */
export type CachedKey = { wrapped: OwnBytes; key?: Key } | null
export type CachedKeys = ReadonlyMap<string, CachedKey>

export type CacheLimits = { maxKeys: number; ttlMs: number }

/**
 * Returns a data key for the cache, in memory of its own. The wrapped key as it arrives is a slice of a much larger buffer, of
 * the connection or of Node's pool, and would keep all of that from being collected.
 */
export function createCachedKey(wrapped: Buffer, key?: Key): NonNullable<CachedKey> {
  // Unlike Buffer.from and Buffer.concat, Buffer.alloc never takes a slice of the pool.
  const copy = Buffer.alloc(wrapped.length) as OwnBytes
  wrapped.copy(copy)
  return key ? { wrapped: copy, key } : { wrapped: copy }
}

/**
 * Creates a cache that evicts the oldest keys first and removes each one when its time to live is over. A key that was loaded
 * before `clear` is not added after it.
 */
export function createKeyCache({ maxKeys, ttlMs }: CacheLimits) {
  const entries = createExpiringMap<CachedKey>({ maxSize: maxKeys, ttlMs })
  let generation = 0

  return {
    /** Marks the start of a query; `add` ignores its result if the cache was cleared in between. */
    getGeneration: () => generation,
    /** Number of keys in memory. */
    getSize: entries.getCount,
    clear() {
      generation++
      entries.clear()
    },
    find(subjects: readonly string[]): { found: Map<string, CachedKey>; missing: string[] } {
      const found = new Map<string, CachedKey>()
      const missing = subjects.filter((subject) => {
        const key = entries.get(subject)
        if (key === undefined) return true
        found.set(subject, key)
        return false
      })
      return { found, missing }
    },
    add(keys: CachedKeys, since: number): void {
      if (since !== generation) return
      for (const [subject, key] of keys) entries.set(subject, key)
    },
  }
}
