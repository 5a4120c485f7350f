import type { Pool } from 'pg'
import { advisoryLocks } from '#database/advisory-locks.ts'
import { withTransaction } from '#database/pool.ts'
import type { AnyProjection } from './projection.ts'
import { createIndexStatements, createTableSql } from './tables.ts'

/** Creates missing tables. Returns the projections whose table is of another version and has to be rebuilt. */
export async function prepareTables(pool: Pool, projections: readonly AnyProjection[]): Promise<AnyProjection[]> {
  return await withTransaction(pool, 'begin', async (client) => {
    await client.query('select pg_advisory_xact_lock($1)', [advisoryLocks.readModelSchema])
    // A session that looked for the schema before remembers that it was missing. It notices what others have created while it waited
    // for the lock when it opens a table.
    await client.query(`select from pg_catalog.pg_namespace where nspname = 'read'`)
    await client.query(`
      create schema if not exists read;
      create table if not exists read.checkpoints (
        name text primary key,
        version int not null,
        -- The last event processed; null before the first.
        position text collate "C",
        state text not null default 'running',
        state_since timestamptz not null default now(),
        -- The event that it failed at, and the kind of error, never data.
        failed_at_position text,
        error text,
        updated_at timestamptz not null default now());
      -- An event that identifies the event store of the read models, and the position before it (ADR 10).
      create table if not exists read.origin (
        singleton bool primary key default true check (singleton),
        previous_position text collate "C",
        position text collate "C" not null,
        event_id uuid not null)`)
    const { rows } = await client.query<{ name: string; version: number }>('select name, version from read.checkpoints')
    const versions = new Map(rows.map(({ name, version }) => [name, version]))
    for (const projection of projections.filter(({ name }) => !versions.has(name))) {
      await client.query([createTableSql(projection), ...createIndexStatements(projection)].join('; '))
      await client.query('insert into read.checkpoints (name, version) values ($1, $2)', [
        projection.name,
        projection.version,
      ])
    }
    return projections.filter(({ name, version }) => (versions.get(name) ?? version) !== version)
  })
}
