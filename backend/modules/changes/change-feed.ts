import type { ChangeHint, ChangesOpened } from '#contracts/changes.ts'
import type { Position, Recorded } from '#eventstore/event.ts'
import { createWakeableSleep } from '#eventstore/wakeable-sleep.ts'
import type { StreamSource } from '#http/serve-stream.ts'
import type { Services } from '#modules/module.ts'
import { createHintFinder } from './hint-finder.ts'
import { createListeners, type HintStream } from './listeners.ts'
import { createResumePoints } from './public.ts'

/**
 * Notifies streams of changes in the practice of their caller, once a query in this process would return them; where that
 * takes long, after about two seconds, and again as soon as it does. Covers every event after `subscribe` has resolved. A
 * stream whose user has another role or left the practice is verified within a second, and gets no hint in between. With
 * `since`, the point that a client has reached, the stream first gets the hints of what has changed after it, unless that is too
 * much: then it does not resume, and neither does it from a point that this installation never gave to the practice.
 */
export type ChangeFeed = {
  subscribe(stream: HintStream, request: { query: { since?: string | undefined } }): Promise<StreamSource>
}

/** Every instance polls the event store; a notification only shortens the wait. */
const pollIntervalMs = 1_000
/** Milliseconds for which hints are repeated while a read model is behind: one that has failed must not hold up the next. */
const maxRepeatMs = 30_000
const batchSize = 500

/** Polls the event store from its current end for as long as there are listeners. */
export function createChangeFeed(services: Services): ChangeFeed {
  const { store, logger } = services
  const listeners = createListeners(services)
  const { findHead, findMissed, isShown, summarize, waitUntilShown } = createHintFinder(services)
  const points = createResumePoints(services.keyedHash)
  const pause = createWakeableSleep()
  let start: Promise<Position | null> | undefined
  /** The hints of all events up to here were sent, and queries return the changes. */
  let delivered: Position | null = null
  /** The time at which the hints of the next events were sent first, before queries returned the changes. */
  let behindSince: number | null = null

  const formatPoint = (practiceId: string, position: Position | null) =>
    position === null ? null : points.format(practiceId, position)

  async function run(initial: Position | null): Promise<void> {
    delivered = initial
    behindSince = null
    const stopListening = store.onWake(pause.wakeUp)
    while (!listeners.isEmpty()) {
      pause.reset()
      const hasMore = await deliverNext().catch((err: unknown) => {
        logger.warn({ err }, 'live updates paused: database or event store unavailable')
        return false
      })
      if (!hasMore) await pause.sleep(pollIntervalMs)
    }
    stopListening()
    start = undefined
  }

  /** Sends the hints of the next events. Returns whether more events are there. */
  async function deliverNext(): Promise<boolean> {
    await listeners.verify()
    const { events, next } = await store.readAll(delivered, { limit: batchSize })
    const isBehind = !(await notify(events, next))
    behindSince = isBehind ? (behindSince ?? performance.now()) : null
    // The hints are repeated until a query returns the changes.
    if (behindSince !== null && performance.now() - behindSince < maxRepeatMs) return false
    delivered = next ?? delivered
    behindSince = null
    return events.length === batchSize
  }

  /** Sends the hints of events up to a position. Returns whether queries return the changes already. */
  async function notify(events: readonly Recorded[], end: Position | null): Promise<boolean> {
    const relevant = events.filter(({ metadata }) => listeners.isListening(metadata.practiceId))
    const shown = relevant.filter(isShown)
    const last = shown.at(-1)
    if (!last) return true
    const isCaughtUp = await waitUntilShown(relevant, last)
    const findHintsByPractice = new Map<string, (userId: string) => ChangeHint[]>()
    for (const [practiceId, ofPractice] of Map.groupBy(shown, ({ metadata }) => metadata.practiceId ?? ''))
      findHintsByPractice.set(practiceId, await summarize(practiceId, ofPractice))
    // A client must not resume after changes that it fetched too early.
    const reached = isCaughtUp ? end : delivered
    // Read last: a user who has just left the practice gets no more hints.
    for (const stream of await listeners.findStreams([...findHintsByPractice.keys()])) {
      const { userId, practiceId } = stream.caller
      const hints = findHintsByPractice.get(practiceId)?.(userId) ?? []
      // The point is reached with the last one: a connection may break between two of them.
      for (const [index, hint] of hints.entries())
        stream.send(hint, index === hints.length - 1 ? formatPoint(practiceId, reached) : null)
    }
    return isCaughtUp
  }

  /** Sends a stream the hints of what has changed since a point. Returns false when it cannot resume from there. */
  async function resume(stream: HintStream, since: string | undefined): Promise<boolean> {
    const position = since === undefined ? null : points.parse(stream.caller.practiceId, since)
    const missed = position === null ? null : await findMissed(stream.caller, position)
    for (const hint of missed ?? []) stream.send(hint, null)
    return missed !== null
  }

  function startOnce(): Promise<Position | null> {
    if (!start) {
      start = findHead()
      start.then(run, () => (start = undefined))
    }
    return start
  }

  return {
    async subscribe(stream, { query: { since } }) {
      const remove = listeners.add(stream)
      const end = () => {
        remove()
        if (listeners.isEmpty()) pause.wakeUp()
      }
      try {
        await startOnce()
        const isResumed = await resume(stream, since)
        // The client fetches everything instead.
        if (!isResumed) await findHead()
        const opening: ChangesOpened = { isResumed }
        return { end, opening, getId: () => formatPoint(stream.caller.practiceId, delivered) }
      } catch (error) {
        end()
        throw error
      }
    },
  }
}
