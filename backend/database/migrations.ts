import type { Pool } from 'pg'
import { advisoryLocks } from './advisory-locks.ts'
import { inTransaction, withConnection } from './pool.ts'

/** One change of the tables that are not derived from events. Never edited after its release; add another one instead. */
export type Migration = { id: string; sql: string }

/** SQL of the table of applied migrations. */
export const createMigrationTableSql =
  'create table if not exists app.migrations (id text primary key, applied_at timestamptz not null default now())'

/** Applies the missing migrations in order, each in its own transaction. Instances that start together wait for each other. */
export async function migrate(pool: Pool, migrations: readonly Migration[]): Promise<void> {
  await withConnection(pool, async (client) => {
    await client.query('select pg_advisory_lock($1)', [advisoryLocks.migrations])
    try {
      await client.query('create schema if not exists app')
      await client.query(createMigrationTableSql)
      const { rows } = await client.query<{ id: string }>('select id from app.migrations')
      const applied = new Set(rows.map(({ id }) => id))
      for (const { id, sql } of migrations.filter((migration) => !applied.has(migration.id)))
        await inTransaction(client, 'begin', async () => {
          await client.query(sql)
          await client.query('insert into app.migrations (id) values ($1)', [id])
        })
    } finally {
      // Fails only on a broken connection, which has lost the lock.
      await client.query('select pg_advisory_unlock($1)', [advisoryLocks.migrations]).catch(() => undefined)
    }
  })
}
