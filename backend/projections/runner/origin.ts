import type { ClientBase, Pool } from 'pg'
import type { Position, Recorded } from '#eventstore/event.ts'
import { type EventStore, ForeignPosition } from '#eventstore/event-store.ts'
import { isBehind } from './subscription.ts'

/** An event by which a record is known again: it stands at `position`, right after `after`. */
export type OriginMark = { after: Position | null; position: Position; eventId: string }

/** What to do about a ForeignPosition; the sentence after its message. */
export const foreignStoreAdvice =
  'Set EVENTSTORE_URL back; or, where the history was moved or brought back on purpose, make what follows from it anew, with Everchart stopped: npm run projections -- rebuild --all --moved'

type Queryable = Pick<ClientBase, 'query'> | Pool

/** The mark that the last event of a stretch makes. */
export function createMark(from: Position | null, events: readonly Recorded[]): OriginMark | undefined {
  const last = events.at(-1)
  return last && { after: events.at(-2)?.position ?? from, position: last.position, eventId: last.id }
}

/** Writes a mark, unless a later one is there: other copies of the app write theirs. */
export async function saveMark(client: Queryable, { after, position, eventId }: OriginMark): Promise<void> {
  await client.query(
    `insert into read.origin (after, position, event_id) values ($1, $2, $3)
     on conflict (one) do update
     set after = excluded.after, position = excluded.position, event_id = excluded.event_id
     where read.origin.position < excluded.position`,
    [after, position, eventId],
  )
}

/** The mark of a database, if it has one. */
export async function findMark(client: Queryable): Promise<OriginMark | undefined> {
  const { rows } = await client.query<OriginMark>('select after, position, event_id as "eventId" from read.origin')
  return rows[0]
}

/**
 * Proves that the store holds the record from which the read models of this database were made. Throws ForeignPosition
 * when it is another one, or an older copy of the same, in which what they have seen is not there.
 */
export async function assertSameOrigin({ store, pool }: { store: EventStore; pool: Pool }): Promise<void> {
  const { rows } = await pool.query<{ position: Position; isTable: boolean }>(
    `select position, to_regclass(format('read.%I', name)) is not null as "isTable"
     from read.checkpoints where position is not null`,
  )
  const mark = await findMark(pool)
  const seen = mark ? [...rows, mark] : rows
  const foreign = seen.find(({ position }) => !store.isOwnPosition(position))
  if (foreign)
    throw new ForeignPosition(`The read models were made from another event store: they are at ${foreign.position}`)
  // A reactor has taken in nothing that could be wrong: one that is after the end goes on at the end.
  const tables = rows.filter(({ isTable }) => isTable)
  const newest = (mark ? [...tables, mark] : tables)
    .map(({ position }) => position)
    .toSorted()
    .at(-1)
  if (newest === undefined) return
  const head = await store.head()
  if (isBehind(head, newest))
    throw new ForeignPosition(
      `This event store ends at ${head ?? 'its beginning'}, before ${newest}, which the read models have seen: it is another one, or an older copy`,
    )
  await store.readAll(newest, { limit: 1 })
  if (!mark) return
  const { events } = await store.readAll(mark.after, { limit: 1 })
  if (events[0]?.position !== mark.position || events[0].id !== mark.eventId)
    throw new ForeignPosition(
      `The read models were made from another event store: at ${mark.position} this one holds another event`,
    )
}
