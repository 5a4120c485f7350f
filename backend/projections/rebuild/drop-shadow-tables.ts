import type { Pool } from 'pg'
import { inTransaction } from '#database/pool.ts'
import { exclusively } from './rebuild-lock.ts'
import type { AnyProjection } from '#projections/projection.ts'
import { nextOf, previousOf, tableOf } from '#projections/tables.ts'

/**
 * Forgets the table of before the last rebuild, and one that a broken-off rebuild left. Answers false, with nothing forgotten,
 * while somebody is rebuilding this read model.
 */
export async function forgetBeside(pool: Pool, projection: AnyProjection): Promise<boolean> {
  const beside = [nextOf(projection), previousOf(projection)]
  const forgotten = await exclusively(pool, projection.name, (client) =>
    inTransaction(client, 'begin', async () => {
      for (const table of beside.map(tableOf)) await client.query(`drop table if exists ${table}`)
      await client.query('delete from read.checkpoints where name = any($1)', [beside.map(({ name }) => name)])
      return true
    }),
  )
  return forgotten ?? false
}
