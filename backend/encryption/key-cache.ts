import type { Key } from './cipher.ts'

/** A data key as it was loaded, unwrapped on first use; null when it was destroyed. */
export type CachedKey = { wrapped: Buffer; key?: Key } | null
export type CachedKeys = ReadonlyMap<string, CachedKey>

export type CacheLimits = { maxKeys: number; ttlMs: number }

/** Creates a cache that evicts the oldest keys first. A key that was loaded before `clear` is not added after it. */
export function createKeyCache({ maxKeys, ttlMs }: CacheLimits) {
  const entries = new Map<string, { key: CachedKey; expiresAt: number }>()
  let generation = 0

  return {
    /** Marks the start of a query; `add` ignores its result if the cache was cleared in between. */
    getGeneration: () => generation,
    clear() {
      generation++
      entries.clear()
    },
    find(subjects: readonly string[]): { found: Map<string, CachedKey>; missing: string[] } {
      const found = new Map<string, CachedKey>()
      const now = Date.now()
      const missing = subjects.filter((subject) => {
        const entry = entries.get(subject)
        if (!entry || entry.expiresAt < now) return true
        found.set(subject, entry.key)
        return false
      })
      return { found, missing }
    },
    add(keys: CachedKeys, since: number): void {
      if (since !== generation) return
      const expiresAt = Date.now() + ttlMs
      for (const [subject, key] of keys) {
        entries.delete(subject)
        entries.set(subject, { key, expiresAt })
      }
      for (const oldest of entries.keys()) {
        if (entries.size <= maxKeys) break
        entries.delete(oldest)
      }
    },
  }
}
