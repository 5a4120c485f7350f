import { toLocalDate } from '#contracts/values/calendar.ts'
import type { ChangeHint, ChangesOpened } from '#contracts/changes.ts'
import { ForeignPosition } from '#eventstore/event-store.ts'
import type { Position, Recorded } from '#eventstore/event.ts'
import type { MessageStream, StreamSource } from '#http/serve-stream.ts'
import { findMemberships, type Membership } from '#modules/accounts/public.ts'
import type { Services } from '#modules/module.ts'
import { findTimeZone } from '#modules/practices/public.ts'
import { createHintKinds, listHintTypes, toChangeHints } from './hints.ts'
import { createResumePoints } from './public.ts'

type Stream = MessageStream<ChangeHint>
/** A stream, and the place of its user as it was verified last. */
type Listener = { stream: Stream; verified: Pick<Membership, 'practiceId' | 'role' | 'isOwner'> }

/**
 * Notifies streams of changes in the practice of their caller, once a query in this process would return them; where that
 * takes long, after about two seconds, and again as soon as it does. Covers every event after `subscribe` has resolved. A
 * stream whose user has another role or left the practice is verified within a second, and gets no hint in between. With
 * `since`, the point that a client has reached, the stream first gets the hints of what has changed after it, unless that is too
 * much: then it does not resume, and neither does it from a point that this installation never gave to the practice.
 */
export type ChangeFeed = {
  subscribe(stream: Stream, request: { query: { since?: string | undefined } }): Promise<StreamSource>
}

/** Every instance polls the event store; a notification only shortens the wait. */
const pollIntervalMs = 1_000
/** Milliseconds for which hints are repeated while a read model is behind: one that has failed must not hold up the next. */
const maxRepeatMs = 30_000
/** Memberships are read in every round, but not more often than this. */
const verifyIntervalMs = 500
const batchSize = 500
/** A client that has missed more events, of any practice, is better off when it fetches everything again. */
const maxResumedEvents = 500

/** Polls the event store from its current end for as long as there are listeners. */
export function createChangeFeed(services: Services): ChangeFeed {
  const { store, db, modules, clock, waitUntilCaughtUp, logger } = services
  const findKinds = createHintKinds(modules)
  const points = createResumePoints(services.keyedHash)
  const formatPoint = (practiceId: string, position: Position | null) =>
    position === null ? null : points.format(practiceId, position)
  const listeners = new Map<string, Set<Listener>>()
  let start: Promise<Position | null> | undefined
  /** The hints of all events up to here were sent, and queries return the changes. */
  let delivered: Position | null = null
  let wakeUp: (() => void) | undefined
  let hasNewEvents = false
  let verifiedAt = 0

  async function run(initial: Position | null): Promise<void> {
    delivered = initial
    let behindSince: number | null = null
    const stopListening = store.onWake(() => {
      hasNewEvents = true
      wakeUp?.()
    })
    while (listeners.size > 0) {
      try {
        hasNewEvents = false
        await verifyListeners()
        const { events, next } = await store.readAll(delivered, { limit: batchSize })
        const isCaughtUp = await notify(events, next)
        behindSince = isCaughtUp ? null : (behindSince ?? performance.now())
        // The hints are repeated until a query returns the changes.
        const isRepeated = behindSince !== null && performance.now() - behindSince < maxRepeatMs
        if (!isRepeated) {
          delivered = next ?? delivered
          behindSince = null
        }
        if (isRepeated || events.length < batchSize) await pause()
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

  /** Sends the hints of events. Returns whether queries return the changes already. */
  async function notify(events: readonly Recorded[], next: Position | null): Promise<boolean> {
    const relevant = events.filter((event) => listeners.has(event.metadata.practiceId ?? ''))
    const visible = relevant.filter((event) => findKinds(event).length > 0)
    const last = visible.at(-1)
    if (!last) return true
    const isCaughtUp = await waitUntilCaughtUp([...new Set(relevant.map(({ type }) => type))], last.position)
    const hintsByPractice = new Map<string, (userId: string) => ChangeHint[]>()
    for (const [practiceId, changes] of Map.groupBy(visible, ({ metadata }) => metadata.practiceId ?? ''))
      hintsByPractice.set(practiceId, await summarize(practiceId, changes))
    // A client must not resume after changes that it fetched too early.
    const reached = isCaughtUp ? next : delivered
    // Read last: a user who has just left the practice gets no more hints.
    const recipients = [...hintsByPractice.keys()].flatMap((practiceId) => [...(listeners.get(practiceId) ?? [])])
    const memberships = await findMembershipsOf(recipients)
    for (const { stream } of recipients) {
      const { userId, practiceId } = stream.caller
      if (memberships.get(userId)?.practiceId !== practiceId) {
        stream.verify()
        continue
      }
      const hints = hintsByPractice.get(practiceId)?.(userId) ?? []
      // The point is reached with the last one: a connection may break between two of them.
      for (const [index, hint] of hints.entries())
        stream.send(hint, index === hints.length - 1 ? formatPoint(practiceId, reached) : null)
    }
    return isCaughtUp
  }

  /** Returns the function that finds the hints of a practice's events for a user. */
  async function summarize(practiceId: string, changes: readonly Recorded[]) {
    const timeZone = await findTimeZone(db, practiceId)
    const toDate = (instant: string) => toLocalDate(instant, timeZone)
    return (userId: string) => toChangeHints(changes, (event) => findKinds(event, userId), toDate)
  }

  /** Finds the hints for the user of a stream of what has changed since a point; null when it is unknown or too much. */
  async function findMissed(
    { caller: { userId, practiceId } }: Stream,
    since: string | undefined,
  ): Promise<ChangeHint[] | null> {
    const after = since === undefined ? null : points.parse(practiceId, since)
    if (after === null) return null
    const page = await store.readAll(after, { limit: maxResumedEvents }).catch((error: unknown) => {
      // The history was replaced by another one, such as that of a backup.
      if (error instanceof ForeignPosition) return null
      throw error
    })
    if (!page || page.events.length === maxResumedEvents) return null
    const changes = page.events.filter(
      (event) => event.metadata.practiceId === practiceId && findKinds(event, userId).length > 0,
    )
    const last = changes.at(-1)
    if (last && !(await waitUntilCaughtUp([...new Set(changes.map(({ type }) => type))], last.position))) return null
    return last ? (await summarize(practiceId, changes))(userId) : []
  }

  /** Returns the end of the history, once queries return everything before it: there will be no hints of that. */
  async function findHead(): Promise<Position | null> {
    const head = await store.head()
    if (head !== null) await waitUntilCaughtUp(listHintTypes(modules), head)
    return head
  }

  const findMembershipsOf = (among: readonly Listener[]) =>
    findMemberships(db, [...new Set(among.map(({ stream }) => stream.caller.userId))], clock())

  /** Verifies the streams of users whose role or practice has changed, whatever has changed it. */
  async function verifyListeners(): Promise<void> {
    if (performance.now() - verifiedAt < verifyIntervalMs) return
    verifiedAt = performance.now()
    const all = [...listeners.values()].flatMap((practiceListeners) => [...practiceListeners])
    const memberships = await findMembershipsOf(all)
    for (const listener of all) {
      const { stream, verified } = listener
      const now = memberships.get(stream.caller.userId)
      if (now && isSamePlace(now, verified)) continue
      if (now) listener.verified = now
      stream.verify()
    }
  }

  return {
    async subscribe(stream, { query: { since } }) {
      const { practiceId } = stream.caller
      const listener: Listener = { stream, verified: stream.caller }
      const practiceListeners = listeners.get(practiceId) ?? new Set()
      listeners.set(practiceId, practiceListeners.add(listener))
      const stop = () => {
        practiceListeners.delete(listener)
        if (practiceListeners.size === 0 && listeners.get(practiceId) === practiceListeners)
          listeners.delete(practiceId)
        if (listeners.size === 0) wakeUp?.()
      }
      if (!start) {
        start = findHead()
        start.then(run, () => (start = undefined))
      }
      try {
        await start
        const missed = await findMissed(stream, since)
        // The client fetches everything instead.
        if (!missed) await findHead()
        for (const hint of missed ?? []) stream.send(hint, null)
        const opening: ChangesOpened = { isResumed: missed !== null }
        return { end: stop, opening, getId: () => formatPoint(practiceId, delivered) }
      } catch (error) {
        stop()
        throw error
      }
    },
  }
}

const isSamePlace = (one: Listener['verified'], other: Listener['verified']) =>
  one.practiceId === other.practiceId && one.role === other.role && one.isOwner === other.isOwner
