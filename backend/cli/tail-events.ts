import { setTimeout as sleep } from 'node:timers/promises'
import { matchesQuery, type EventQuery } from './search-events.ts'
import type { Position, Recorded } from '#eventstore/event.ts'
import { type EventStore, StoreUnavailable } from '#eventstore/event-store.ts'
import { readPages } from '#eventstore/read-pages.ts'
import { createWakeableSleep } from '#eventstore/wakeable-sleep.ts'

/** The start of a tail: the given number of newest events, or a position (exclusive). */
export type TailStart = { last: number } | { after: Position }

type TailOptions = {
  signal: AbortSignal
  /** Called when the store becomes unavailable, and when it is available again. */
  onUnavailable?: () => void
  onAvailable?: () => void
}

const pageSize = 500
const pollIntervalMs = 1_000
const minBackoffMs = 100
const maxBackoffMs = 2_000

/**
 * Yields the matching events as they are written, until the signal is aborted. Waits while the store is unavailable and then continues
 * after the last event, so that none is missing or repeated. Throws ForeignPosition.
 */
export async function* tailEvents(
  store: EventStore,
  wanted: EventQuery,
  begin: TailStart,
  { signal, onUnavailable, onAvailable }: TailOptions,
): AsyncIterable<Recorded> {
  const pause = createWakeableSleep()
  const stopListening = store.onWake(pause.wakeUp)
  signal.addEventListener('abort', pause.wakeUp)

  async function retryWhileUnavailable<T>(call: () => Promise<T>): Promise<T> {
    for (let backoffMs = minBackoffMs, isUnavailable = false; ; backoffMs = Math.min(backoffMs * 2, maxBackoffMs)) {
      try {
        const result = await call()
        if (isUnavailable) onAvailable?.()
        return result
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error
        if (!isUnavailable) onUnavailable?.()
        isUnavailable = true
        await sleep(backoffMs, undefined, { signal })
      }
    }
  }

  const readAll: EventStore['readAll'] = (after, options) => {
    signal.throwIfAborted()
    return retryWhileUnavailable(() => store.readAll(after, options))
  }

  try {
    let after: Position | null
    if ('after' in begin) after = begin.after
    else if (begin.last === 0) after = await retryWhileUnavailable(() => store.head())
    else {
      after = null
      const newest: Recorded[] = []
      for await (const { events, next } of readPages({ readAll }, null, pageSize)) {
        newest.push(...events.filter((event) => matchesQuery(event, wanted)))
        newest.splice(0, newest.length - begin.last)
        after = next
      }
      yield* newest
    }
    while (!signal.aborted) {
      pause.reset()
      const { events, next } = await readAll(after, { limit: pageSize })
      for (const event of events) if (matchesQuery(event, wanted) && !signal.aborted) yield event
      after = next
      // A notification can be lost.
      if (events.length === 0) await pause.sleep(pollIntervalMs)
    }
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    stopListening()
    signal.removeEventListener('abort', pause.wakeUp)
  }
}
