import type { ClientBase } from 'pg'
import type { Position } from '#eventstore/event.ts'
import type { EventStore } from '#eventstore/event-store.ts'
import { applicationName, inTransaction, withConnection } from '#database/pool.ts'
import { findMark, type OriginMark, createMark, saveMark } from '#projections/runner/origin.ts'
import type { AnyProjection } from '#projections/projection.ts'
import type { EngineContext } from './rebuild.ts'
import { advisoryLocks } from '#database/advisory-locks.ts'
import { createIndexStatements, createTableSql, quoteIdentifier } from '#projections/tables.ts'
import { OperationRefused } from '#runtime/operation-refused.ts'

const pageSize = 1_000

type CheckpointRow = { name: string; position: Position | null; isTable: boolean }

/**
 * Lets a database go on with a history that was moved to another event store: what was derived from the old one is emptied,
 * to be folded anew, in one transaction. What only remembers how far it is goes on at the same event. Nothing else is
 * touched. Throws OperationRefused while Everchart runs on the database, when the store is empty, and where something has not taken in
 * the old store's end.
 */
export async function resetForMovedStore(
  { store, pool }: EngineContext,
  projections: readonly AnyProjection[],
): Promise<void> {
  if ((await store.head()) === null)
    throw new OperationRefused('This event store is empty: bring the history there first, with npm run events -- copy')
  await withConnection(pool, (client) =>
    inTransaction(client, 'begin', async () => {
      await client.query('select pg_advisory_xact_lock($1)', [advisoryLocks.readModelSchema])
      if (await isRunning(client)) throw new OperationRefused('Everchart is running on this database: stop it first')
      const { rows } = await client.query<CheckpointRow>(
        `select name, position, to_regclass(format('read.%I', name)) is not null as "isTable" from read.checkpoints`,
      )
      const old = await findMark(client)
      const here = old && (await findMarkInStore(store, old))
      await moveProcessManagerCheckpoints(client, rows, old, here)
      const derived = rows.filter(({ isTable }) => isTable)
      for (const { name } of derived) await client.query(`drop table read.${quoteIdentifier(name)}`)
      await client.query('delete from read.checkpoints where name = any($1)', [derived.map(({ name }) => name)])
      for (const projection of projections) {
        await client.query([createTableSql(projection), ...createIndexStatements(projection)].join('; '))
        const { name, version } = projection
        await client.query('insert into read.checkpoints (name, version) values ($1, $2)', [name, version])
      }
      await client.query('delete from read.origin')
      if (here) await saveMark(client, here)
    }),
  )
}

/** A running copy of the app looks after its read models every second, so that it always has a connection. */
async function isRunning(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query(
    'select from pg_stat_activity where datname = current_database() and application_name = $1',
    [applicationName],
  )
  return rows.length > 0
}

/** Gives those that only remember how far they are the position that their event has in the new store. */
async function moveProcessManagerCheckpoints(
  client: ClientBase,
  rows: readonly CheckpointRow[],
  old: OriginMark | undefined,
  here: OriginMark | undefined,
) {
  const followers = rows.filter(({ isTable, position }) => !isTable && position !== null)
  const behind = followers.find(({ position }) => position !== old?.position)
  if (behind)
    throw new OperationRefused(
      `${behind.name} has work left from the old event store: start Everchart on that once more, and move when it has caught up`,
    )
  if (followers.length > 0 && !here)
    throw new OperationRefused('This event store does not hold the history that was moved')
  await client.query('update read.checkpoints set position = $2 where name = any($1)', [
    followers.map(({ name }) => name),
    here?.position,
  ])
}

/** Where the event of a mark stands in another store, if it is there. */
async function findMarkInStore(store: EventStore, { eventId }: OriginMark): Promise<OriginMark | undefined> {
  for (let after: Position | null = null; ;) {
    const { events, next } = await store.readAll(after, { limit: pageSize })
    const at = events.findIndex(({ id }) => id === eventId)
    if (at !== -1) return createMark(after, events.slice(0, at + 1))
    if (events.length === 0) return undefined
    after = next
  }
}
