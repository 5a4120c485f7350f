/** A map whose entries leave memory when their time is over, whether something asks for them or not. */
export type ExpiringMap<Value> = {
  /** Returns a value; undefined without an entry, and from the moment its time is over. */
  get(key: string): Value | undefined
  /** Adds or replaces an entry, which has its whole time to live. `size` is 1 by default. */
  set(key: string, value: Value, size?: number): void
  clear(): void
  /** Number of entries in memory. */
  getCount(): number
}

/**
 * Limits of an expiring map: beyond `maxSize`, the sum of the sizes of its entries, the oldest are evicted first. `ttlMs` in
 * milliseconds.
 */
export type ExpiringMapLimits = { maxSize: number; ttlMs: number }

type Entry<Value> = { value: Value; size: number; expiresAt: number }

/** Creates an empty map. Its timer does not keep the process alive. */
export function createExpiringMap<Value>({ maxSize, ttlMs }: ExpiringMapLimits): ExpiringMap<Value> {
  // All entries live equally long, so they are in the order in which they expire.
  const entries = new Map<string, Entry<Value>>()
  let totalSize = 0
  let sweep: NodeJS.Timeout | undefined

  function remove(key: string): void {
    totalSize -= entries.get(key)?.size ?? 0
    entries.delete(key)
  }

  function removeExpired(): void {
    sweep = undefined
    const now = Date.now()
    for (const [key, { expiresAt }] of entries) {
      if (expiresAt > now) break
      remove(key)
    }
    scheduleSweep()
  }

  function scheduleSweep(): void {
    const [oldest] = entries.values()
    if (sweep === undefined && oldest)
      sweep = setTimeout(removeExpired, Math.max(1, oldest.expiresAt - Date.now())).unref()
  }

  return {
    get(key) {
      const entry = entries.get(key)
      return entry && entry.expiresAt > Date.now() ? entry.value : undefined
    },
    set(key, value, size = 1) {
      remove(key)
      entries.set(key, { value, size, expiresAt: Date.now() + ttlMs })
      totalSize += size
      for (const oldest of entries.keys()) {
        if (totalSize <= maxSize) break
        remove(oldest)
      }
      scheduleSweep()
    },
    clear() {
      entries.clear()
      totalSize = 0
    },
    getCount: () => entries.size,
  }
}
