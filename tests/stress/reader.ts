import type { Position, Recorded } from '#eventstore/event.ts'
import { type EventStore, StoreUnavailable } from '#eventstore/event-store.ts'
import { QueryTimeout } from '#database/query-timeout.ts'

/**
 * Reads all events after a position while they are written, in pages of random size, and reports missed, duplicated and
 * misordered ones. Returns the ids it read, once writing has ended and nothing is left to read.
 */
export async function readUntilIdle(
  store: EventStore,
  after: Position | null,
  report: (problem: string) => void,
  isWriting: () => boolean,
): Promise<ReadonlySet<string>> {
  const seen = new Set<string>()
  const revisions = new Map<string, bigint>()
  let last = parsePosition(after)

  function check({ id, position, stream, revision }: Recorded): void {
    const number = parsePosition(position)
    if (number !== last + 1n) report(`position ${number} came after ${last}`)
    last = number
    if (seen.has(id)) report(`event ${id} came twice`)
    seen.add(id)
    const previous = revisions.get(stream)
    if (previous !== undefined && revision !== previous + 1n)
      report(`${stream} went from revision ${previous} to ${revision}`)
    revisions.set(stream, revision)
  }

  for (let from = after; ;) {
    const isEnding = !isWriting()
    const { events, next } = await retryTimeouts(() =>
      store.readAll(from, { limit: 1 + Math.floor(Math.random() * 500) }),
    )
    events.forEach(check)
    from = next
    if (isEnding && events.length === 0) return seen
    if (events.length === 0) await new Promise((resolve) => setTimeout(resolve, 1))
  }
}

/** Repeats a call that timed out, as callers do: on a busy machine a time-out is not a fault of the store. */
export async function retryTimeouts<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    try {
      return await call()
    } catch (error) {
      if (!(error instanceof StoreUnavailable && error.cause instanceof QueryTimeout)) throw error
    }
  }
}

const parsePosition = (position: Position | null) => (position === null ? 0n : BigInt(position.slice('pg-'.length)))
