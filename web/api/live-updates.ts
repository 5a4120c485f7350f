import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { ChangeHint, changes } from '#contracts/changes.ts'
import { refreshCurrentUser } from '#web/entities/accounts/current-user.ts'

/** What one window tells the others of the same browser. `missed`: the connection was away, anything may have changed. */
type LiveUpdate = { hint: ChangeHint } | { missed: true }

const queryKeysByKind: Record<ChangeHint['kind'], readonly QueryKey[]> = {
  appointments: [['appointments'], ['dashboard']],
  patients: [['patients'], ['patient'], ['dashboard'], ['sample-data']],
  imports: [['imports'], ['import']],
  providers: [['providers']],
  waitlist: [['waitlist']],
  practice: [['practice']],
  subscription: [
    ['subscription', 'status'],
    ['subscription', 'portal'],
  ],
}
const allQueryKeys = Object.values(queryKeysByKind).flat()

type DateRange = { from: string; until: string }
const dateRangeFromKey = (key: QueryKey): DateRange | null =>
  key[1] === 'days' && typeof key[2] === 'object' ? (key[2] as DateRange) : null

/** Whether a list of days has one of the days that changed. Other lists are always concerned. */
export function isAffected(key: QueryKey, { dates }: ChangeHint): boolean {
  const days = dateRangeFromKey(key)
  return !days || !dates || dates.some((date) => date >= days.from && date <= days.until)
}

/** Has everything on screen fetched again that some news concern. */
export function applyUpdates(queries: QueryClient, all: readonly LiveUpdate[]): void {
  for (const news of all) {
    const keys = 'hint' in news ? queryKeysByKind[news.hint.kind] : allQueryKeys
    for (const queryKey of keys)
      void queries.invalidateQueries({
        queryKey,
        predicate: (query) => !('hint' in news) || isAffected(query.queryKey, news.hint),
      })
    // Who is signed in is not asked behind a person's back, only when what they may do is told to have changed.
    if ('hint' in news && news.hint.kind === 'subscription') void refreshCurrentUser(queries)
  }
}

const channelName = 'everchart-changes'
/** Ten hints at once are one fetch. */
const batchDelayMs = 250
/** While nothing is pushed, one asks, and tries again whether pushing works by now. */
const reconnectIntervalMs = 4_000

/** Holds the connection until `signal` ends it. */
async function keepConnected(tell: (news: LiveUpdate) => void, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    // oxlint-disable-next-line no-await-in-loop -- one connection after the other
    await openConnection(tell, signal)
    // It could not be had, or it broke off: what happens meanwhile is asked for.
    if (!signal.aborted) tell({ missed: true })
    // oxlint-disable-next-line no-await-in-loop
    await delay(reconnectIntervalMs, signal)
  }
}

/** One connection, until it breaks off. */
const openConnection = (tell: (news: LiveUpdate) => void, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const source = new EventSource(changes.path, { withCredentials: true })
    const end = () => {
      signal.removeEventListener('abort', end)
      source.close()
      resolve()
    }
    signal.addEventListener('abort', end)
    source.addEventListener('error', end)
    // The server's own message of that name: from then on nothing is missed, what came before is fetched.
    source.addEventListener('open', (event) => event instanceof MessageEvent && tell({ missed: true }))
    source.addEventListener('change', ({ data }: MessageEvent<string>) => {
      const hint = ChangeHint.safeParse(JSON.parse(data))
      if (hint.success) tell({ hint: hint.data })
    })
  })

const delay = (milliseconds: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true })
  })

/**
 * What colleagues change appears within two seconds. One window of a browser holds the connection and tells the others;
 * when it is closed, the next takes over. Without a connection the lists are fetched every few seconds.
 */
export function subscribeToUpdates(queries: QueryClient): () => void {
  const over = new AbortController()
  const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(channelName)
  let waiting: LiveUpdate[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  const take = (news: LiveUpdate) => {
    waiting.push(news)
    timer ??= setTimeout(() => {
      timer = undefined
      applyUpdates(queries, waiting.splice(0))
    }, batchDelayMs)
  }
  const tell = (news: LiveUpdate) => {
    take(news)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no origin but its own
    channel?.postMessage(news)
  }
  channel?.addEventListener('message', ({ data }: MessageEvent<LiveUpdate>) => take(data))
  const { signal } = over
  // A browser without locks (an address without https) has one connection for each window.
  const run = navigator.locks
    ? navigator.locks.request(channelName, { signal }, () => keepConnected(tell, signal))
    : keepConnected(tell, signal)
  run.catch(() => undefined)
  return () => {
    over.abort()
    clearTimeout(timer)
    waiting = []
    channel?.close()
  }
}

/** Follows what others change for as long as somebody is signed in. */
export function useLiveUpdates(enabled: boolean): void {
  const queries = useQueryClient()
  useEffect(() => (enabled ? subscribeToUpdates(queries) : undefined), [queries, enabled])
}
