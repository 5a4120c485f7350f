import type { Position, Recorded } from '#eventstore/event.ts'
import { type EventStore, StoreUnavailable } from '#eventstore/event-store.ts'
import { QueryTimeout } from '#database/query-timeout.ts'

/**
 * Reads everything after a position as it is written, in pages of changing size, and says when something is missed, comes
 * twice or out of order. Gives the ids it saw, when nobody writes any more and there is nothing left to read.
 */
export async function readUntilIdle(
  store: EventStore,
  after: Position | null,
  note: (problem: string) => void,
  writing: () => boolean,
): Promise<ReadonlySet<string>> {
  const seen = new Set<string>()
  const tips = new Map<string, bigint>()
  let last = positionNumber(after)

  function take({ id, position, stream, revision }: Recorded): void {
    const number = positionNumber(position)
    if (number !== last + 1n) note(`position ${number} came after ${last}`)
    last = number
    if (seen.has(id)) note(`event ${id} came twice`)
    seen.add(id)
    const tip = tips.get(stream)
    if (tip !== undefined && revision !== tip + 1n) note(`${stream} went from revision ${tip} to ${revision}`)
    tips.set(stream, revision)
  }

  for (let from = after; ;) {
    const ending = !writing()
    const { events, next } = await untilAnswered(() =>
      store.readAll(from, { limit: 1 + Math.floor(Math.random() * 500) }),
    )
    events.forEach(take)
    from = next
    if (ending && events.length === 0) return seen
    if (events.length === 0) await new Promise((resolve) => setTimeout(resolve, 1))
  }
}

/** Retries while a query times out, as callers do: on a busy machine a time-out is not a fault of the store. */
export async function untilAnswered<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    try {
      return await call()
    } catch (error) {
      if (!(error instanceof StoreUnavailable && error.cause instanceof QueryTimeout)) throw error
    }
  }
}

const positionNumber = (position: Position | null) => (position === null ? 0n : BigInt(position.slice('pg-'.length)))
