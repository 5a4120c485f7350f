import { TZDate } from '@date-fns/tz'
import { format } from 'date-fns/format'
import { sql } from 'slonik'
import { z } from 'zod'
import type { ChangeHint } from '#contracts/changes.ts'
import type { Position, Recorded } from '#eventstore/event.ts'
import type { Services } from '#modules/module.ts'
import { toChangeHints, findHintKinds } from './hints.ts'

type Listener = (hint: ChangeHint) => void

/**
 * Tells who listens what has changed in their practice, once this process would answer with it. Everything is told that happens
 * after `listen` has resolved. Answers how to stop listening.
 */
export type ChangeFeed = { subscribe(practiceId: string, listener: Listener): Promise<() => void> }

/** Every copy of the app follows the record itself; the wake-up is only a hint. */
const pollIntervalMs = 1_000
const batchSize = 500

/** Follows the record from now on, as long as anybody listens. */
export function createChangeFeed({ store, db, waitUntilCaughtUp: caughtUp, logger }: Services): ChangeFeed {
  const listeners = new Map<string, Set<Listener>>()
  let from: Promise<Position | null> | undefined
  let rouse: (() => void) | undefined
  let news = false

  async function run(position: Position | null): Promise<void> {
    const stopListening = store.onWake(() => {
      news = true
      rouse?.()
    })
    while (listeners.size > 0) {
      try {
        news = false
        const { events, next } = await store.readAll(position, batchSize)
        await tell(events)
        position = next ?? position
        if (events.length < batchSize) await pause()
      } catch (error) {
        logger.warn({ err: error }, 'live changes wait for the database or the event store')
        await pause()
      }
    }
    stopListening()
    from = undefined
  }

  const pause = () =>
    new Promise<void>((resolve) => {
      if (news) return resolve()
      const timer = setTimeout(resolve, pollIntervalMs)
      timer.unref()
      rouse = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  async function tell(events: readonly Recorded[]): Promise<void> {
    const heard = events.filter((event) => listeners.has(event.metadata.practiceId ?? ''))
    const shown = heard.filter((event) => findHintKinds(event).length > 0)
    const last = shown.at(-1)
    if (!last) return
    await caughtUp([...new Set(heard.map(({ type }) => type))], last.position)
    for (const [practiceId, facts] of Map.groupBy(shown, ({ metadata }) => metadata.practiceId ?? '')) {
      const zone = await zoneOf(practiceId)
      const hints = toChangeHints(facts, (instant) => format(new TZDate(instant, zone), 'yyyy-MM-dd'))
      for (const listener of listeners.get(practiceId) ?? []) for (const hint of hints) listener(hint)
    }
  }

  async function zoneOf(practiceId: string): Promise<string> {
    const practice = await db.maybeOne(
      sql.type(z.object({ timezone: z.string() }))`
        select timezone from read.practices where practice_id = ${practiceId}`,
    )
    return practice?.timezone ?? 'UTC'
  }

  return {
    async subscribe(practiceId, listener) {
      const own = listeners.get(practiceId) ?? new Set()
      listeners.set(practiceId, own.add(listener))
      const stop = () => {
        own.delete(listener)
        if (own.size === 0 && listeners.get(practiceId) === own) listeners.delete(practiceId)
        if (listeners.size === 0) rouse?.()
      }
      if (!from) {
        from = store.head()
        from.then(run, () => (from = undefined))
      }
      await from.catch((error: unknown) => {
        stop()
        throw error
      })
      return stop
    },
  }
}
