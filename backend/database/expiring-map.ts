/** A map whose entries leave memory when their time is over, whether something asks for them or not. */
export type ExpiringMap<Value> = {
  /** Returns a value; undefined without an entry, and from the moment its time is over. */
  get(key: string): Value | undefined
  /** Adds or replaces an entry, which has its whole time to live. */
  set(key: string, value: Value): void
  clear(): void
  /** Number of entries in memory. */
  getSize(): number
}

/** Limits of an expiring map: entries beyond `maxSize` are evicted, the oldest first. `ttlMs` in milliseconds. */
export type ExpiringMapLimits = { maxSize: number; ttlMs: number }

/** Creates an empty map. Its timer does not keep the process alive. */
export function createExpiringMap<Value>({ maxSize, ttlMs }: ExpiringMapLimits): ExpiringMap<Value> {
  // All entries live equally long, so they are in the order in which they expire.
  const entries = new Map<string, { value: Value; expiresAt: number }>()
  let sweep: NodeJS.Timeout | undefined

  function removeExpired(): void {
    sweep = undefined
    const now = Date.now()
    for (const [key, { expiresAt }] of entries) {
      if (expiresAt > now) break
      entries.delete(key)
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
    set(key, value) {
      entries.delete(key)
      entries.set(key, { value, expiresAt: Date.now() + ttlMs })
      const [oldest] = entries.keys()
      if (entries.size > maxSize && oldest !== undefined) entries.delete(oldest)
      scheduleSweep()
    },
    clear: () => entries.clear(),
    getSize: () => entries.size,
  }
}
