import { hashKey, type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { ChangeHint, changes } from '#contracts/changes.ts'
import { ApiProblem } from './call.ts'
import { signOutKey } from './session-channel.ts'

/** Message between the windows of a browser. `missed`: the connection was lost, so anything may have changed. */
type LiveUpdate = { hint: ChangeHint } | { missed: true }

/** Queries of an entity or a feature that live updates refetch. */
export type LiveUpdateRule = {
  /** Keys to invalidate by kind of change; each covers all queries whose key begins with it. */
  queryKeys: Partial<Record<ChangeHint['kind'], readonly QueryKey[]>>
  /** Returns whether a hint affects a query with such a key. Default: it does. */
  isAffected?: (queryKey: QueryKey, hint: ChangeHint) => boolean
  /** Refreshes other data after such a change, and whenever one may have been missed. */
  onChange?: (queries: QueryClient) => void
}

const isHint = (update: LiveUpdate) => 'hint' in update

const withoutRepetitions = <Item>(items: readonly Item[], toKey: (item: Item) => string): Item[] => [
  ...new Map(items.map((item) => [toKey(item), item])).values(),
]

/**
 * Refetches the visible data that updates affect, and invalidates the rest. Returns the updates of which a refetch may succeed
 * later: there was no reply, or the server was too busy.
 */
export async function applyUpdates(
  queries: QueryClient,
  rules: readonly LiveUpdateRule[],
  updates: readonly LiveUpdate[],
): Promise<LiveUpdate[]> {
  // Applying the same update again would only cancel and restart its refetches.
  const applied = withoutRepetitions(updates, (update) => JSON.stringify(update)).map(async (update) => {
    const results = await Promise.all(rules.map((rule) => applyUpdate(queries, rule, update)))
    return results.includes('repeat') ? [update] : []
  })
  return (await Promise.all(applied)).flat()
}

async function applyUpdate(queries: QueryClient, rule: LiveUpdateRule, update: LiveUpdate): Promise<'done' | 'repeat'> {
  const all = isHint(update) ? (rule.queryKeys[update.hint.kind] ?? []) : Object.values(rule.queryKeys).flat()
  const refetches = withoutRepetitions(all, hashKey).map(async (queryKey) => {
    const predicate = ({ queryKey: key }: { queryKey: QueryKey }) =>
      !isHint(update) || (rule.isAffected?.(key, update.hint) ?? true)
    await queries.invalidateQueries({ queryKey, predicate })
    const visible = queries.getQueryCache().findAll({ queryKey, predicate, type: 'active' })
    return visible.some(({ state }) => isTemporary(state.error))
  })
  if (!isHint(update) || rule.queryKeys[update.hint.kind]) rule.onChange?.(queries)
  return (await Promise.all(refetches)).includes(true) ? 'repeat' : 'done'
}

const isTemporary = (error: unknown) =>
  error instanceof ApiProblem && (error.status === 0 || error.status === 429 || error.status >= 500)

const channelName = 'everchart-changes'
/** Delay that collects several hints into one refetch. */
const batchDelayMs = 250
/** Interval at which lists are refetched, and the connection is retried, while there is none; also after a failed refetch. */
const reconnectIntervalMs = 4_000
/** Three heartbeats: the connection is dead, although the browser has not noticed. */
const maxSilenceMs = 60_000

/** Keeps a connection open, reconnecting after errors, until `signal` aborts. */
async function keepConnected(publish: (update: LiveUpdate) => void, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    // oxlint-disable-next-line no-await-in-loop -- one connection after the other
    await openConnection(publish, signal)
    // Not at once: the end of the session closes the connection too, a moment before the screen is left.
    // oxlint-disable-next-line no-await-in-loop
    await delay(reconnectIntervalMs, signal)
    // The connection failed or broke off: hints were missed, so everything is refetched.
    if (!signal.aborted) publish({ missed: true })
  }
}

/** Opens one connection; resolves when it ends. */
const openConnection = (publish: (update: LiveUpdate) => void, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const source = new EventSource(changes.path, { withCredentials: true })
    let silence: ReturnType<typeof setTimeout> | undefined
    const end = () => {
      clearTimeout(silence)
      signal.removeEventListener('abort', end)
      source.close()
      resolve()
    }
    signal.addEventListener('abort', end)
    source.addEventListener('error', end)
    const expectMore = () => {
      clearTimeout(silence)
      silence = setTimeout(end, maxSilenceMs)
    }
    expectMore()
    for (const name of ['open', 'change', 'heartbeat']) source.addEventListener(name, expectMore)
    // The server's own message named `open`: from then on no hint is missed; earlier changes are fetched.
    source.addEventListener('open', (event) => event instanceof MessageEvent && publish({ missed: true }))
    source.addEventListener('change', ({ data }: MessageEvent<string>) => {
      const hint = ChangeHint.safeParse(JSON.parse(data))
      if (hint.success) publish({ hint: hint.data })
    })
  })

const delay = (milliseconds: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) return resolve()
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true })
  })

/**
 * Subscribes to changes by other users, which appear within two seconds. One window per browser holds the connection and
 * forwards hints to the others; when it closes, the next one takes over. Without a connection, lists are polled. Returns the
 * function that unsubscribes.
 */
export function subscribeToUpdates(queries: QueryClient, rules: readonly LiveUpdateRule[]): () => void {
  const controller = new AbortController()
  const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(channelName)
  let pending: LiveUpdate[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  const schedule = (...updates: LiveUpdate[]) => {
    pending.push(...updates)
    timer ??= setTimeout(() => {
      timer = undefined
      // While the session ends, refetches would be refused. If it does not end, they are still due.
      if (queries.isMutating({ mutationKey: signOutKey }) > 0) schedule()
      else void applyUpdates(queries, rules, pending.splice(0)).then(repeatLater)
    }, batchDelayMs)
  }
  const failed = new Map<string, LiveUpdate>()
  let repetition: ReturnType<typeof setTimeout> | undefined
  const repeatLater = (updates: readonly LiveUpdate[]) => {
    if (updates.length === 0 || controller.signal.aborted) return
    for (const update of updates) failed.set(JSON.stringify(update), update)
    repetition ??= setTimeout(() => {
      repetition = undefined
      schedule(...failed.values())
      failed.clear()
    }, reconnectIntervalMs)
  }
  const publish = (update: LiveUpdate) => {
    schedule(update)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no origin but its own
    channel?.postMessage(update)
  }
  channel?.addEventListener('message', ({ data }: MessageEvent<LiveUpdate>) => schedule(data))
  const { signal } = controller
  const connect = () => keepConnected(publish, signal)
  // Browsers offer locks over https and on localhost only; without them, every window has a connection.
  const run = navigator.locks ? navigator.locks.request(channelName, { signal }, connect) : connect()
  run.catch(() => undefined)
  return () => {
    controller.abort()
    clearTimeout(timer)
    clearTimeout(repetition)
    pending = []
    channel?.close()
  }
}

/** Subscribes to changes by other users while `isEnabled`. `rules` must be stable. */
export function useLiveUpdates(isEnabled: boolean, rules: readonly LiveUpdateRule[]): void {
  const queries = useQueryClient()
  useEffect(() => (isEnabled ? subscribeToUpdates(queries, rules) : undefined), [queries, rules, isEnabled])
}
