import type { Pool } from 'pg'
import { advisoryLocks } from './advisory-locks.ts'

/** One step of the tables that are not derived from events. Never changed once it was released; a new step is added. */
export type Migration = { id: string; sql: string }

/** Where it is kept which steps have run. */
export const createMigrationTableSql =
  'create table if not exists app.migrations (id text primary key, applied_at timestamptz not null default now())'

/** Runs the steps that have not run yet, in order, each in its own transaction. Copies of the app wait for each other. */
export async function migrate(pool: Pool, migrations: readonly Migration[]): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [advisoryLocks.migrations])
    await client.query('create schema if not exists app')
    await client.query(createMigrationTableSql)
    const { rows } = await client.query<{ id: string }>('select id from app.migrations')
    const applied = new Set(rows.map(({ id }) => id))
    for (const { id, sql } of migrations.filter((step) => !applied.has(step.id))) {
      await client.query('begin')
      await client.query(sql)
      await client.query('insert into app.migrations (id) values ($1)', [id])
      await client.query('commit')
    }
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    await client.query('select pg_advisory_unlock($1)', [advisoryLocks.migrations]).finally(() => client.release())
  }
}
