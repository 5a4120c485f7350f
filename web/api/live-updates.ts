import { hashKey, type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { ChangeHint, changes, ChangesOpened } from '#contracts/changes.ts'
import { ApiProblem, buildUrl } from './call.ts'
import { dropEarlyReplies } from './early-replies.ts'
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

/** An update of the connection, and the point from which a later one can resume after it; null when it has none. */
type Received = { update: LiveUpdate | null; point: string | null }

/** Kept with the data that it belongs to, and removed with it. */
const pointKey = ['live-updates', 'point'] as const

/**
 * Notes that everything in the cache was fetched after a point of the history, from which live updates can resume: those in
 * between are not lost, and nothing is fetched a second time.
 */
export function noteLiveUpdatesPoint(queries: QueryClient, point: string): void {
  queries.setQueryDefaults(pointKey, { gcTime: Infinity })
  queries.setQueryData(pointKey, point)
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

type Connection = {
  /** Called with what arrives. */
  receive: (received: Received) => void
  /** Returns the point from which to resume. */
  getPoint: () => string | undefined
}

/** Keeps a connection open, reconnecting after errors, until `signal` aborts. While there is none, everything is refetched. */
async function keepConnected(connection: Connection, signal: AbortSignal): Promise<void> {
  const poll = () => connection.receive({ update: { missed: true }, point: null })
  while (!signal.aborted) {
    const timer = setInterval(poll, reconnectIntervalMs)
    // oxlint-disable-next-line no-await-in-loop -- one connection after the other
    const wasOpened = await openConnection(connection, signal, () => clearInterval(timer))
    clearInterval(timer)
    if (!wasOpened && !signal.aborted) poll()
    // Not at once: the end of the session closes the connection too, a moment before the screen is left.
    // oxlint-disable-next-line no-await-in-loop
    await delay(reconnectIntervalMs, signal)
  }
}

/** Opens one connection; resolves when it ends, with whether it was ever open. */
const openConnection = ({ receive, getPoint }: Connection, signal: AbortSignal, onOpened: () => void) =>
  new Promise<boolean>((resolve) => {
    const url = buildUrl(changes, { query: { since: getPoint() } })
    const source = new EventSource(url, { withCredentials: true })
    let silence: ReturnType<typeof setTimeout> | undefined
    let wasOpened = false
    const end = () => {
      clearTimeout(silence)
      signal.removeEventListener('abort', end)
      source.close()
      resolve(wasOpened)
    }
    signal.addEventListener('abort', end)
    source.addEventListener('error', end)
    const expectMore = () => {
      clearTimeout(silence)
      silence = setTimeout(end, maxSilenceMs)
    }
    expectMore()
    for (const name of ['open', 'change', 'heartbeat']) source.addEventListener(name, expectMore)
    const listen = (name: string, toUpdate: (data: unknown) => LiveUpdate | null) =>
      source.addEventListener(name, (event) => {
        // The browser has an event named `open`, too.
        if (!(event instanceof MessageEvent)) return
        receive({ update: toUpdate(JSON.parse(event.data)), point: event.lastEventId || null })
      })
    listen('open', (data) => {
      wasOpened = true
      onOpened()
      // From here on no hint is missed. What was before is fetched again, unless the hints of it were sent.
      return ChangesOpened.safeParse(data).data?.isResumed ? null : { missed: true }
    })
    listen('change', (data) => {
      const hint = ChangeHint.safeParse(data)
      return hint.success ? { hint: hint.data } : null
    })
    listen('heartbeat', () => null)
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
  const { signal } = controller
  let pending: LiveUpdate[] = []
  let running = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  /** The newest point of the connection. It is kept once all updates before it were applied. */
  let received: string | null = null
  const keepPoint = () => {
    if (received === null || pending.length + failed.size + running > 0 || signal.aborted) return
    noteLiveUpdatesPoint(queries, received)
  }
  const apply = async (updates: readonly LiveUpdate[]) => {
    running++
    repeatLater(await applyUpdates(queries, rules, updates))
    running--
    keepPoint()
  }
  const schedule = (...updates: LiveUpdate[]) => {
    // Only what screens have fetched is fetched again.
    dropEarlyReplies()
    pending.push(...updates)
    timer ??= setTimeout(() => {
      timer = undefined
      // While the session ends, refetches would be refused. If it does not end, they are still due.
      if (queries.isMutating({ mutationKey: signOutKey }) > 0) schedule()
      else void apply(pending.splice(0))
    }, batchDelayMs)
  }
  const failed = new Map<string, LiveUpdate>()
  let repetition: ReturnType<typeof setTimeout> | undefined
  const repeatLater = (updates: readonly LiveUpdate[]) => {
    if (updates.length === 0 || signal.aborted) return
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
  const receive = ({ update, point }: Received) => {
    received = point ?? received
    if (update) publish(update)
    else keepPoint()
  }
  const getPoint = () => received ?? queries.getQueryData<string>(pointKey)
  const connect = () => keepConnected({ receive, getPoint }, signal)
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
