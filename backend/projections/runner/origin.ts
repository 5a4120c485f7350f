import type { ClientBase, Pool } from 'pg'
import type { Position, Recorded } from '#eventstore/event.ts'
import { type EventStore, ForeignPosition } from '#eventstore/event-store.ts'
import { isBehind } from '#projections/position.ts'

/** An event that identifies the event store: it is at `position`, directly after `previousPosition` (ADR 10). */
export type OriginMark = { previousPosition: Position | null; position: Position; eventId: string }

/** Advice for the operator that follows the message of a ForeignPosition. */
export const foreignStoreAdvice =
  'Set EVENTSTORE_URL back; or, if the history was moved or restored on purpose, rebuild everything while Everchart is stopped: npm run projections -- rebuild --all --moved'

type Queryable = Pick<ClientBase, 'query'> | Pool

/** Creates the mark of the last of some events that follow a position. */
export function createMark(from: Position | null, events: readonly Recorded[]): OriginMark | undefined {
  const last = events.at(-1)
  return last && { previousPosition: events.at(-2)?.position ?? from, position: last.position, eventId: last.id }
}

/** Saves a mark, unless another instance has saved a later one. */
export async function saveMark(client: Queryable, { previousPosition, position, eventId }: OriginMark): Promise<void> {
  await client.query(
    `insert into read.origin (previous_position, position, event_id) values ($1, $2, $3)
     on conflict (singleton) do update
     set previous_position = excluded.previous_position, position = excluded.position, event_id = excluded.event_id
     where read.origin.position < excluded.position`,
    [previousPosition, position, eventId],
  )
}

/** Finds the mark of a database, if it has one. */
export async function findMark(client: Queryable): Promise<OriginMark | undefined> {
  const { rows } = await client.query<OriginMark>(
    `select previous_position as "previousPosition", position, event_id as "eventId" from read.origin`,
  )
  return rows[0]
}

/**
 * Verifies that the read models of this database were derived from this event store. Throws ForeignPosition when it is
 * another one, or an older copy that lacks events which the read models include.
 */
export async function assertSameOrigin({ store, pool }: { store: EventStore; pool: Pool }): Promise<void> {
  const { rows } = await pool.query<{ position: Position; hasTable: boolean }>(
    `select position, to_regclass(format('read.%I', name)) is not null as "hasTable"
     from read.checkpoints where position is not null`,
  )
  const mark = await findMark(pool)
  const known = mark ? [...rows, mark] : rows
  const foreign = known.find(({ position }) => !store.isOwnPosition(position))
  if (foreign)
    throw new ForeignPosition(`The read models were derived from another event store: they are at ${foreign.position}`)
  // A process manager derives no rows that could be wrong: one beyond the end continues at the end.
  const tables = rows.filter(({ hasTable }) => hasTable)
  const newest = (mark ? [...tables, mark] : tables)
    .map(({ position }) => position)
    .toSorted()
    .at(-1)
  if (newest === undefined) return
  const head = await store.head()
  if (isBehind(head, newest))
    throw new ForeignPosition(
      `This event store ends at ${head ?? 'its beginning'}, before ${newest}, which the read models include: it is another one, or an older copy`,
    )
  await store.readAll(newest, { limit: 1 })
  if (!mark) return
  const { events } = await store.readAll(mark.previousPosition, { limit: 1 })
  if (events[0]?.position !== mark.position || events[0].id !== mark.eventId)
    throw new ForeignPosition(
      `The read models were derived from another event store: at ${mark.position} this one has another event`,
    )
}

export type OriginTracker = ReturnType<typeof createOriginTracker>

/** Verifies the origin once, before anything is folded, and then keeps the mark up to date. */
export function createOriginTracker({ store, pool }: { store: EventStore; pool: Pool }) {
  let isVerified = false
  let mark: OriginMark | undefined
  return {
    /** Throws ForeignPosition, and StoreUnavailable when the store cannot be asked yet. */
    async verify(): Promise<void> {
      if (isVerified) return
      await assertSameOrigin({ store, pool })
      if (!(await findMark(pool))) mark = createMark(null, (await store.readAll(null, { limit: 1 })).events)
      isVerified = true
    },
    isVerified: () => isVerified,
    /** Remembers the last of the events that follow a position, for the next `save`. */
    advance(from: Position | null, events: readonly Recorded[]): void {
      mark = createMark(from, events)
    },
    async save(): Promise<void> {
      if (mark) await saveMark(pool, mark)
      mark = undefined
    },
  }
}
