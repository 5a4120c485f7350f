import type { Pool } from 'pg'
import { inTransaction } from '#database/pool.ts'
import { withProjectionLock } from './rebuild-lock.ts'
import type { AnyProjection } from '#projections/projection.ts'
import { dropTableSql } from '#projections/table-names.ts'
import { asPrevious, asShadow } from '#projections/tables.ts'

/**
 * Drops the previous table and the shadow table of an interrupted rebuild. Returns false and drops nothing while a
 * rebuild of this projection is in progress.
 */
export async function dropShadowTables(pool: Pool, projection: AnyProjection): Promise<boolean> {
  const tables = [asShadow(projection), asPrevious(projection)]
  const dropped = await withProjectionLock(pool, projection.name, (client) =>
    inTransaction(client, 'begin', async () => {
      for (const table of tables) await client.query(dropTableSql(table))
      await client.query('delete from read.checkpoints where name = any($1)', [tables.map(({ name }) => name)])
      return true
    }),
  )
  return dropped ?? false
}
