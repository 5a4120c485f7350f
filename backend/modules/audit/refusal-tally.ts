import type { Refusal } from '#http/refusals.ts'

/** Equal refusals: same caller, address, route and code. */
export type RefusalCount = {
  /** The first of them. */
  refusal: Refusal
  /** The refusals that it stands for: equal ones, or further ones of its group or of all groups, which may differ. */
  scope: 'equal' | 'group' | 'all'
  count: number
  /** ISO instants in UTC. */
  firstAt: string
  lastAt: string
}

/** Counts refusals in bounded memory. Times are in milliseconds of a monotonic clock. */
export type RefusalTally = {
  add(refusal: Refusal, at: string): void
  /** Returns and resets the counts that are due: new ones at once, repetitions at the end of the window. */
  takeDue(now: number): RefusalCount[]
  /** Returns and resets all counts. */
  takeAll(): RefusalCount[]
}

/** A count, held after it was taken until the end of the window, to count repetitions. */
type Entry = RefusalCount & { group: string; heldUntil: number }

export type TallyLimits = {
  windowMs: number
  /** The number of different refusals of a practice, or of all visitors, that are counted separately. */
  maxPerGroup: number
  maxTotal: number
}

/** The limits keep one practice, or all visitors together, from hiding the refusals of others. */
export const defaultTallyLimits: TallyLimits = { windowMs: 60_000, maxPerGroup: 50, maxTotal: 1_000 }

export function createRefusalTally({ windowMs, maxPerGroup, maxTotal }: TallyLimits): RefusalTally {
  const entries = new Map<string, Entry>()
  const groupSizes = new Map<string, number>()

  function findEntry(refusal: Refusal): Entry {
    const { caller, method, route, status, code, address } = refusal
    const group = caller?.practiceId ?? caller?.userId ?? 'visitors'
    const key = JSON.stringify([caller?.userId, caller?.practiceId, method, route, status, code, address])
    const known = entries.get(key)
    if (known) return known
    if (entries.size >= maxTotal) return openEntry('all', 'all', refusal, 'all')
    const size = groupSizes.get(group) ?? 0
    return size < maxPerGroup ? openEntry(key, group, refusal, 'equal') : openEntry(group, group, refusal, 'group')
  }

  function openEntry(key: string, group: string, refusal: Refusal, scope: Entry['scope']): Entry {
    const known = entries.get(key)
    if (known) return known
    const entry: Entry = { refusal, scope, group, count: 0, firstAt: '', lastAt: '', heldUntil: 0 }
    entries.set(key, entry)
    groupSizes.set(group, (groupSizes.get(group) ?? 0) + 1)
    return entry
  }

  function forget(key: string, { group }: Entry): void {
    entries.delete(key)
    const size = (groupSizes.get(group) ?? 1) - 1
    if (size > 0) groupSizes.set(group, size)
    else groupSizes.delete(group)
  }

  function take(isDue: (entry: Entry) => boolean, heldUntil: number): RefusalCount[] {
    const taken: RefusalCount[] = []
    for (const [key, entry] of entries) {
      if (!isDue(entry)) continue
      const { refusal, scope, count, firstAt, lastAt } = entry
      if (count === 0) {
        forget(key, entry)
        continue
      }
      taken.push({ refusal, scope, count, firstAt, lastAt })
      Object.assign(entry, { count: 0, heldUntil })
    }
    return taken
  }

  return {
    add(refusal, at) {
      const entry = findEntry(refusal)
      if (entry.count === 0) entry.firstAt = at
      entry.count += 1
      entry.lastAt = at
    },
    takeDue: (now) => take((entry) => now >= entry.heldUntil, now + windowMs),
    takeAll: () => take(() => true, 0),
  }
}
