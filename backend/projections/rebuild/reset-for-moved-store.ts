import type { ClientBase } from 'pg'
import type { Position } from '#eventstore/event.ts'
import type { EventStore } from '#eventstore/event-store.ts'
import { readPages } from '#eventstore/read-pages.ts'
import { applicationName, withTransaction } from '#database/pool.ts'
import { findMark, type OriginMark, createMark, saveMark } from '#projections/runner/origin.ts'
import type { AnyProjection } from '#projections/projection.ts'
import type { EngineContext } from './rebuild.ts'
import { advisoryLocks } from '#database/advisory-locks.ts'
import { dropTableSql } from '#projections/table-names.ts'
import { createIndexStatements, createTableSql } from '#projections/tables.ts'
import { OperationRefused } from '#runtime/operation-refused.ts'

type CheckpointRow = { name: string; position: Position | null; hasTable: boolean }

/**
 * Prepares a database for a history that was moved to another event store, in one transaction: tables of read models
 * are emptied, to be rebuilt, and process managers continue at the same event. Throws OperationRefused while Everchart
 * runs on the database, when the store is empty, and when a process manager has not reached the end of the old store.
 */
export async function resetForMovedStore(
  { store, pool }: EngineContext,
  projections: readonly AnyProjection[],
): Promise<void> {
  if ((await store.head()) === null)
    throw new OperationRefused('This event store is empty: copy the history to it first, with npm run events -- copy')
  await withTransaction(pool, 'begin', async (client) => {
    await client.query('select pg_advisory_xact_lock($1)', [advisoryLocks.readModelSchema])
    if (await isRunning(client)) throw new OperationRefused('Everchart is running on this database: stop it first')
    const { rows } = await client.query<CheckpointRow>(
      `select name, position, to_regclass(format('read.%I', name)) is not null as "hasTable" from read.checkpoints`,
    )
    const oldMark = await findMark(client)
    const newMark = oldMark && (await findMarkInStore(store, oldMark))
    await moveProcessManagerCheckpoints(client, rows, oldMark, newMark)
    const derived = rows.filter(({ hasTable }) => hasTable)
    for (const table of derived) await client.query(dropTableSql(table))
    await client.query('delete from read.checkpoints where name = any($1)', [derived.map(({ name }) => name)])
    for (const projection of projections) {
      await client.query([createTableSql(projection), ...createIndexStatements(projection)].join('; '))
      const { name, version } = projection
      await client.query('insert into read.checkpoints (name, version) values ($1, $2)', [name, version])
    }
    await client.query('delete from read.origin')
    if (newMark) await saveMark(client, newMark)
  })
}

/** Returns whether an instance is running: it queries checkpoints every second, so it always has a connection. */
async function isRunning(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query(
    'select from pg_stat_activity where datname = current_database() and application_name = $1',
    [applicationName],
  )
  return rows.length > 0
}

/** Moves checkpoints without a table to the position that their event has in the new store. */
async function moveProcessManagerCheckpoints(
  client: ClientBase,
  rows: readonly CheckpointRow[],
  oldMark: OriginMark | undefined,
  newMark: OriginMark | undefined,
): Promise<void> {
  const processManagers = rows.filter(({ hasTable, position }) => !hasTable && position !== null)
  const lagging = processManagers.find(({ position }) => position !== oldMark?.position)
  if (lagging)
    throw new OperationRefused(
      `${lagging.name} has not processed all events of the old event store: start Everchart with the old store again, and move once it has caught up`,
    )
  if (processManagers.length > 0 && !newMark)
    throw new OperationRefused('This event store does not contain the moved history')
  await client.query('update read.checkpoints set position = $2 where name = any($1)', [
    processManagers.map(({ name }) => name),
    newMark?.position,
  ])
}

/** Finds the event of a mark in another store. */
async function findMarkInStore(store: EventStore, { eventId }: OriginMark): Promise<OriginMark | undefined> {
  let previous: Position | null = null
  for await (const { events, next } of readPages(store)) {
    const index = events.findIndex(({ id }) => id === eventId)
    if (index !== -1) return createMark(previous, events.slice(0, index + 1))
    previous = next
  }
  return undefined
}
