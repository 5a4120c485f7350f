import type { NewEvent, Recorded } from './event.ts'
import {
  type Appended,
  type EventStore,
  maxAppendBytes,
  type OrderedAppender,
  StoreUnavailable,
} from './event-store.ts'
import { maxAttempts, waitBeforeRetry } from './retry-while-unavailable.ts'

/** The copy cannot continue and needs a decision by the operator. Existing events are never changed. */
export class CopyError extends Error {}

/** A store to copy into. With an ordered appender many appends are sent at once. */
export type HistoryTarget = EventStore & { openOrderedAppender?: () => OrderedAppender }

type Batch = { events: Recorded[]; bytes: number }
type Pending = { events: readonly Recorded[]; outcome: Promise<PromiseSettledResult<Appended>> }

const maxBatchEvents = 500
/** Appends that wait for a reply; more do not make EventStoreDB faster. */
const maxInFlight = 64

/**
 * Creates a writer of consecutive events of a history. `add` and `flush` throw CopyError when the target rejects events, and
 * StoreUnavailable when it stays unavailable.
 */
export function createHistoryWriter(to: HistoryTarget) {
  const open = to.openOrderedAppender ?? (() => ({ append: to.append, close: () => Promise.resolve() }))
  const limit = to.openOrderedAppender ? maxInFlight : 1
  let appender = open()
  let batch: Batch = { events: [], bytes: 0 }
  /** Oldest first. */
  const pending: Pending[] = []

  function send(events: readonly Recorded[]): Pending {
    const [first] = events
    if (!first) throw new Error('A batch without events')
    const expected = first.revision === 0n ? 'no-stream' : first.revision - 1n
    const newEvents = events.map(({ id, type, data, metadata }): NewEvent => ({ id, type, data, metadata }))
    const call = appender.append(first.stream, expected, newEvents)
    return { events, outcome: Promise.allSettled([call]).then(([settled]) => settled) }
  }

  async function sendBatch(): Promise<void> {
    if (batch.events.length === 0) return
    if (pending.length === limit) await confirmOldest()
    pending.push(send(batch.events))
    batch = { events: [], bytes: 0 }
  }

  async function confirmOldest(): Promise<void> {
    for (let attempt = 1; pending[0]; attempt++) {
      const settled = await pending[0].outcome
      if (settled.status === 'fulfilled') {
        assertWritten(pending[0].events, settled.value)
        pending.shift()
        return
      }
      if (!(settled.reason instanceof StoreUnavailable) || attempt === maxAttempts) throw settled.reason
      await resend(attempt)
    }
  }

  /**
   * Sends all unconfirmed appends again, in their order. Those that were written after all are not written twice, because
   * their ids are equal; and none of them can get in front of an earlier one, because that is sent again before it.
   */
  async function resend(attempt: number): Promise<void> {
    await Promise.all(pending.map(({ outcome }) => outcome))
    await appender.close()
    await waitBeforeRetry(attempt)
    appender = open()
    pending.splice(0, pending.length, ...pending.map(({ events }) => send(events)))
  }

  return {
    /** Adds the next event. Consecutive events of one stream become one append, as long as they fit. */
    async add(event: Recorded): Promise<void> {
      const bytes = Buffer.byteLength(JSON.stringify(event.data))
      if (!fitsBatch(event, bytes, batch)) await sendBatch()
      batch.events.push(event)
      batch.bytes += bytes
    },
    /** Resolves when everything has been written. */
    async flush(): Promise<void> {
      await sendBatch()
      while (pending.length > 0) await confirmOldest()
    },
    /** Ends the connection. What was added since the last flush may have been written, up to any event of it. */
    close: () => appender.close(),
  }
}

function fitsBatch({ stream, revision }: Recorded, size: number, { events, bytes }: Batch): boolean {
  const last = events.at(-1)
  if (!last) return true
  const follows = stream === last.stream && revision === last.revision + 1n
  return follows && events.length < maxBatchEvents && bytes + size <= maxAppendBytes
}

function assertWritten([first]: readonly Recorded[], { status }: Appended): void {
  if (status !== 'appended' && status !== 'already-appended')
    throw new CopyError(`The target rejected revision ${first?.revision} of ${first?.stream}: ${status}`)
}
