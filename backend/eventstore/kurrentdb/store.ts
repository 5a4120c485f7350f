import type { Pool } from 'pg'
import type { EventStore, OrderedAppender } from '#eventstore/event-store.ts'
import { createWakeUps } from '#eventstore/wake-ups.ts'
import { createAppender } from './appender.ts'
import { createAttemptLog } from './attempt-log.ts'
import { connect, withCallTimeout } from './client.ts'
import { isPosition, parsePosition } from './position.ts'
import { openOrderedAppender } from './ordered-appender.ts'
import { createReader } from './reader.ts'

/** Time-out of one call in milliseconds: a command that makes three calls still replies within five seconds. */
const defaultCallTimeoutMs = 1_400

/** Time-out of an append in a history that is copied, where many wait on the server at once, in milliseconds. */
const orderedAppendTimeoutMs = 30_000

type Options = {
  /** Time-out of one call, or between two events of a read, in milliseconds. */
  callTimeoutMs?: number | undefined
  /** The database that the instances share: through it they wake each other. */
  pool?: Pool
}

/** The event store in EventStoreDB or KurrentDB; `close` ends its connection. */
export type EventStoreDbStore = EventStore & { openOrderedAppender(): OrderedAppender; close(): Promise<void> }

/**
 * Opens an event store in EventStoreDB or KurrentDB. The server may still be unavailable: until it replies, calls throw
 * StoreUnavailable. Throws when the address is invalid. After a time-out it is unknown whether something was written;
 * repeat the call with the same ids and expected revision to find out.
 */
export function openEventStoreDb(
  address: string,
  { callTimeoutMs = defaultCallTimeoutMs, pool }: Options = {},
): EventStoreDbStore {
  const connection = connect(address)
  const reader = createReader(connection, callTimeoutMs)
  const wakeUps = createWakeUps(pool)
  const attempts = createAttemptLog()
  const append = createAppender({ connection, reader, attempts, callTimeoutMs, onAppended: wakeUps.notify })

  return {
    append,
    read: reader.read,
    async readAll(after, options) {
      const page = await reader.readAll(after, options)
      if (page.next !== null) attempts.observe(page.next)
      return page
    },
    head: reader.head,
    isOwnPosition: isPosition,
    estimateOffset: (position) => (position === null ? 0 : Number(parsePosition(position).commit)),
    onWake: wakeUps.onWake,
    openOrderedAppender: () => openOrderedAppender(address, orderedAppendTimeoutMs),
    async close() {
      await wakeUps.close()
      await withCallTimeout(callTimeoutMs, connection.client.dispose()).catch(() => undefined)
    },
  }
}
