import type { Pool } from 'pg'
import type { DatabasePool } from 'slonik'
import { openDatabase } from '#database/pool.ts'
import { prepareTables } from '#projections/prepare-tables.ts'
import type { AnyProjection } from '#projections/projection.ts'
import { buildStatements } from '#projections/tables.ts'
import { createTestDatabase, openTestPool } from './test-database.ts'

/** The tables of some projections in a database of their own, for tests of queries that need rows but no events. */
export type Tables = {
  pool: Pool
  db: DatabasePool
  /** Replaces all rows of a table. Columns that a row leaves out are null. */
  fill(projection: AnyProjection, rows: readonly object[]): Promise<void>
  dispose(): Promise<void>
}

/** Creates empty tables of projections. */
export async function openTables(projections: readonly AnyProjection[]): Promise<Tables> {
  const database = await createTestDatabase()
  const pool = openTestPool(database.url, 2)
  const db = await openDatabase(database.url)
  await prepareTables(pool, projections)
  return {
    pool,
    db,
    async fill(projection, rows) {
      const names = [projection.name, ...(projection.totals ? [`${projection.name}_totals`] : [])]
      await pool.query(names.map((name) => `delete from read.${name};`).join(' '))
      await pool.query(buildStatements(projection).save, [JSON.stringify(rows)])
    },
    async dispose() {
      await db.end()
      await pool.end()
      await database.drop()
    },
  }
}
