import { toLocalDate } from '#contracts/values/calendar.ts'
import type { ChangeHint } from '#contracts/changes.ts'
import type { Position, Recorded } from '#eventstore/event.ts'
import type { Services } from '#modules/module.ts'
import { findTimeZone } from '#modules/practices/public.ts'
import { createHintKinds, toChangeHints } from './hints.ts'

type Listener = (hint: ChangeHint) => void

/**
 * Notifies listeners of changes in their practice, once a query in this process would return them. Covers every event after
 * `subscribe` has resolved. Returns the function that ends the subscription.
 */
export type ChangeFeed = { subscribe(practiceId: string, listener: Listener): Promise<() => void> }

/** Every instance polls the event store; a notification only shortens the wait. */
const pollIntervalMs = 1_000
const batchSize = 500

/** Polls the event store from its current end for as long as there are listeners. */
export function createChangeFeed({ store, db, modules, waitUntilCaughtUp, logger }: Services): ChangeFeed {
  const findKinds = createHintKinds(modules)
  const listeners = new Map<string, Set<Listener>>()
  let start: Promise<Position | null> | undefined
  let wakeUp: (() => void) | undefined
  let hasNewEvents = false

  async function run(initial: Position | null): Promise<void> {
    let position = initial
    const stopListening = store.onWake(() => {
      hasNewEvents = true
      wakeUp?.()
    })
    while (listeners.size > 0) {
      try {
        hasNewEvents = false
        const { events, next } = await store.readAll(position, { limit: batchSize })
        await notify(events)
        position = next ?? position
        if (events.length < batchSize) await pause()
      } catch (err) {
        logger.warn({ err }, 'live updates paused: database or event store unavailable')
        await pause()
      }
    }
    stopListening()
    start = undefined
  }

  const pause = () =>
    new Promise<void>((resolve) => {
      if (hasNewEvents) return resolve()
      const timer = setTimeout(resolve, pollIntervalMs)
      timer.unref()
      wakeUp = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  async function notify(events: readonly Recorded[]): Promise<void> {
    const relevant = events.filter((event) => listeners.has(event.metadata.practiceId ?? ''))
    const visible = relevant.filter((event) => findKinds(event).length > 0)
    const last = visible.at(-1)
    if (!last) return
    await waitUntilCaughtUp([...new Set(relevant.map(({ type }) => type))], last.position)
    for (const [practiceId, changes] of Map.groupBy(visible, ({ metadata }) => metadata.practiceId ?? '')) {
      const timeZone = await findTimeZone(db, practiceId)
      const toDate = (instant: string) => toLocalDate(instant, timeZone)
      const hints = toChangeHints(changes, findKinds, toDate)
      for (const listener of listeners.get(practiceId) ?? []) for (const hint of hints) listener(hint)
    }
  }

  return {
    async subscribe(practiceId, listener) {
      const practiceListeners = listeners.get(practiceId) ?? new Set()
      listeners.set(practiceId, practiceListeners.add(listener))
      const stop = () => {
        practiceListeners.delete(listener)
        if (practiceListeners.size === 0 && listeners.get(practiceId) === practiceListeners)
          listeners.delete(practiceId)
        if (listeners.size === 0) wakeUp?.()
      }
      if (!start) {
        start = store.head()
        start.then(run, () => (start = undefined))
      }
      await start.catch((error: unknown) => {
        stop()
        throw error
      })
      return stop
    },
  }
}
