import type { ClientBase } from 'pg'
import type { Position } from '#eventstore/event.ts'
import type { EventStore } from '#eventstore/event-store.ts'
import { appName, inTransaction, withConnection } from './database.ts'
import { findMark, type Mark } from './origin.ts'
import type { AnyProjection } from './projection.ts'
import type { Engine } from './rebuild.ts'
import { createIndexes, createTable, quoted, setUpLock } from './tables.ts'
import { Refused } from './terminal.ts'

const page = 1_000

type Row = { name: string; position: Position | null; isTable: boolean }

/**
 * Lets a database go on with a history that was moved to another event store: what was derived from the old one is emptied,
 * to be folded anew, in one transaction. What only remembers how far it is goes on at the same event. Nothing else is
 * touched. Throws Refused while Everchart runs on the database, when the store is empty, and where something has not taken in
 * the old store's end.
 */
export async function goOnWithAnother({ store, pool }: Engine, projections: readonly AnyProjection[]): Promise<void> {
  if ((await store.head()) === null)
    throw new Refused('This event store is empty: bring the history there first, with npm run events -- copy')
  await withConnection(pool, (client) =>
    inTransaction(client, 'begin', async () => {
      await client.query('select pg_advisory_xact_lock($1)', [setUpLock])
      if (await isRunning(client)) throw new Refused('Everchart is running on this database: stop it first')
      const { rows } = await client.query<Row>(
        `select name, position, to_regclass(format('read.%I', name)) is not null as "isTable" from read.checkpoints`,
      )
      await moveMarks(client, store, rows)
      const derived = rows.filter(({ isTable }) => isTable)
      for (const { name } of derived) await client.query(`drop table read.${quoted(name)}`)
      await client.query('delete from read.checkpoints where name = any($1)', [derived.map(({ name }) => name)])
      for (const projection of projections) {
        await client.query([createTable(projection), ...createIndexes(projection)].join('; '))
        const { name, version } = projection
        await client.query('insert into read.checkpoints (name, version) values ($1, $2)', [name, version])
      }
      await client.query('delete from read.origin')
    }),
  )
}

/** A running copy of the app looks after its read models every second, so that it always has a connection. */
async function isRunning(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query(
    'select from pg_stat_activity where datname = current_database() and application_name = $1',
    [appName],
  )
  return rows.length > 0
}

/** Gives those that only remember how far they are the position that their event has in the new store. */
async function moveMarks(client: ClientBase, store: EventStore, rows: readonly Row[]): Promise<void> {
  const followers = rows.filter(({ isTable, position }) => !isTable && position !== null)
  if (followers.length === 0) return
  const mark = await findMark(client)
  const behind = followers.find(({ position }) => position !== mark?.position)
  if (behind || !mark)
    throw new Refused(
      `${behind?.name ?? 'Something'} has work left from the old event store: start Everchart on that once more, and move when it has caught up`,
    )
  const position = await positionHere(store, mark)
  await client.query('update read.checkpoints set position = $2 where name = any($1)', [
    followers.map(({ name }) => name),
    position,
  ])
}

async function positionHere(store: EventStore, { eventId }: Mark): Promise<Position> {
  for (let after: Position | null = null; ;) {
    const { events, next } = await store.readAll(after, page)
    const found = events.find(({ id }) => id === eventId)
    if (found) return found.position
    if (events.length === 0) throw new Refused('This event store does not hold the history that was moved')
    after = next
  }
}
