import type { Logger } from 'pino'
import { isTransient } from '#database/transient-errors.ts'
import { getErrorKind } from '#runtime/error-kind.ts'
import { withTimeout } from '#runtime/with-timeout.ts'
import { addUsage, type Amount, isCurrent, type Usage } from './usage.ts'
import type { Addition, UsageStore } from './usage-store.ts'

/** Milliseconds for which the sums of other instances are taken as known, and after which own amounts are stored. */
const syncIntervalMs = 1_000
/** A request does not wait longer for the sums: it is then judged by what this instance knows. */
const defaultMaxWaitMs = 300

/** The usage of one owner as this instance knows it. `pending` is included in `usage`, and not stored yet. */
type Entry = {
  usage: Usage | undefined
  isDemo: boolean | null
  pending: Amount
  syncedAt: number
  syncing: Promise<void> | undefined
}

/** The usage of quotas on all instances, except what other instances wrote in the last second. */
export type SharedUsage = {
  /** Reads the sums of owners, unless they are known from the last second. One statement at most. */
  refresh(owners: readonly string[]): Promise<void>
  get(owner: string): Usage | undefined
  /** Returns whether an owner is a demo practice; null if that is not known. */
  isDemo(owner: string): boolean | null
  setDemo(owner: string, isDemo: boolean): void
  /** Counts an amount at once, and stores it within a second. */
  add(owner: string, amount: Amount): void
  /** Stores what is not stored yet. */
  stop(): Promise<void>
}

type Dependencies = {
  store: UsageStore
  clock: () => Date
  logger: Logger
  /** Milliseconds; 300 by default. */
  maxWaitMs?: number | undefined
  /** Called when it becomes known that amounts, which were added before, are those of a demo practice. */
  onDemo: (amount: Amount) => void
}

/** Creates the usage of this process. It keeps counting alone while the database is away. */
export function createSharedUsage({
  store,
  clock,
  logger,
  onDemo,
  maxWaitMs = defaultMaxWaitMs,
}: Dependencies): SharedUsage {
  const entries = new Map<string, Entry>()
  let timer: NodeJS.Timeout | undefined
  let isStoreAway = false

  function getEntry(owner: string): Entry {
    const entry = entries.get(owner) ?? {
      usage: undefined,
      isDemo: null,
      pending: { rows: 0, bytes: 0 },
      syncedAt: -Infinity,
      syncing: undefined,
    }
    entries.set(owner, entry)
    return entry
  }

  /** Stores the pending amounts of owners and takes over the sums of all instances. */
  async function sync(owners: readonly string[]): Promise<void> {
    const taken = owners.map((owner) => ({ entry: getEntry(owner), owner, ...takePending(getEntry(owner)) }))
    const additions: Addition[] = taken.map(({ owner, rows, bytes, entry: { isDemo } }) => ({
      owner,
      rows,
      bytes,
      isDemo,
    }))
    try {
      const stored = await store.add(additions, clock())
      isStoreAway = false
      for (const { owner, entry, rows, bytes } of taken) {
        const found = stored.get(owner)
        if (!found) continue
        // What was added while the statement ran is not in its sums.
        const { pending } = entry
        entry.usage = pending.rows + pending.bytes > 0 ? addUsage(found.usage, pending, clock().getTime()) : found.usage
        if (entry.isDemo === null && found.isDemo === true) onDemo({ rows, bytes })
        entry.isDemo ??= found.isDemo
      }
    } catch (err) {
      for (const { entry, rows, bytes } of taken) addPending(entry, { rows, bytes })
      const details = isTransient(err) ? { kind: getErrorKind(err) } : { err }
      if (!isStoreAway) logger.warn(details, 'what practices wrote is counted in this instance alone')
      isStoreAway = true
    }
  }

  function startSync(owners: readonly string[]): Promise<void> {
    const syncing = sync(owners).finally(() => {
      for (const owner of owners) if (getEntry(owner).syncing === syncing) getEntry(owner).syncing = undefined
    })
    for (const owner of owners) Object.assign(getEntry(owner), { syncedAt: performance.now(), syncing })
    return syncing
  }

  async function flush(): Promise<void> {
    // One statement per owner at a time: the sums of an earlier one would lack what a later one has stored.
    const unsaved = [...entries]
      .filter(([, { pending, syncing }]) => !syncing && pending.rows + pending.bytes > 0)
      .map(([owner]) => owner)
    if (unsaved.length > 0) await startSync(unsaved)
    forgetUnused()
  }

  function forgetUnused(): void {
    const now = clock().getTime()
    for (const [owner, { usage, pending, syncing }] of entries) {
      const isUsed = syncing !== undefined || pending.rows + pending.bytes > 0
      if (!isUsed && !(usage && isCurrent(usage.day, 'day', now))) entries.delete(owner)
    }
  }

  function scheduleFlush(): void {
    if (timer) return
    timer = setTimeout(() => {
      timer = undefined
      void flush().then(() => {
        if ([...entries.values()].some(({ pending }) => pending.rows + pending.bytes > 0)) scheduleFlush()
      })
    }, syncIntervalMs)
    timer.unref()
  }

  return {
    async refresh(owners) {
      const known = owners.map((owner) => ({ owner, entry: getEntry(owner) }))
      const stale = known.filter(({ entry }) => !entry.syncing && performance.now() - entry.syncedAt > syncIntervalMs)
      const running = known.flatMap(({ entry }) => entry.syncing ?? [])
      if (stale.length > 0) running.push(startSync(stale.map(({ owner }) => owner)))
      if (running.length > 0) await withTimeout(Promise.all(running), maxWaitMs, () => undefined)
    },
    get: (owner) => entries.get(owner)?.usage,
    isDemo: (owner) => entries.get(owner)?.isDemo ?? null,
    setDemo(owner, isDemo) {
      getEntry(owner).isDemo = isDemo
    },
    add(owner, amount) {
      const entry = getEntry(owner)
      entry.usage = addUsage(entry.usage, amount, clock().getTime())
      addPending(entry, amount)
      scheduleFlush()
    },
    async stop() {
      await Promise.all([...entries.values()].map(({ syncing }) => syncing))
      await flush()
      // Once more for amounts that turned out to be those of demo practices.
      await flush()
      clearTimeout(timer)
      timer = undefined
    },
  }
}

function addPending(entry: Entry, { rows, bytes }: Amount): void {
  entry.pending = { rows: entry.pending.rows + rows, bytes: entry.pending.bytes + bytes }
}

function takePending(entry: Entry): Amount {
  const { pending } = entry
  entry.pending = { rows: 0, bytes: 0 }
  return pending
}
