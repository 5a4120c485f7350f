import type { Pool } from 'pg'
import { inTransaction } from '#database/pool.ts'
import { withProjectionLock } from './rebuild-lock.ts'
import type { AnyProjection } from '#projections/projection.ts'
import { asShadow, asPrevious, quoteTableName } from '#projections/tables.ts'

/**
 * Forgets the table of before the last rebuild, and one that a broken-off rebuild left. Answers false, with nothing forgotten,
 * while somebody is rebuilding this read model.
 */
export async function dropShadowTables(pool: Pool, projection: AnyProjection): Promise<boolean> {
  const beside = [asShadow(projection), asPrevious(projection)]
  const forgotten = await withProjectionLock(pool, projection.name, (client) =>
    inTransaction(client, 'begin', async () => {
      for (const table of beside.map(quoteTableName)) await client.query(`drop table if exists ${table}`)
      await client.query('delete from read.checkpoints where name = any($1)', [beside.map(({ name }) => name)])
      return true
    }),
  )
  return forgotten ?? false
}
