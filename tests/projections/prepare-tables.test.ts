import { Client } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { advisoryLocks } from '#database/advisory-locks.ts'
import { prepareTables } from '#projections/prepare-tables.ts'
import { validAppointments } from '#tests/support/appointments.ts'
import { createTestDatabase, openTestPool, type TestDatabase } from '#tests/support/test-database.ts'
import { waitUntil } from '#tests/support/wait-until.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

it('two instances that start at the same time on an empty database prepare it once', async () => {
  const other = new Client({ connectionString: database.url })
  await other.connect()
  const pool = openTestPool(database.url, 1)
  try {
    await pool.query('drop schema if exists read cascade')
    // As a migration may do: the session remembers that there is no such schema.
    await pool.query(`select to_regclass('read.checkpoints')`)
    await other.query('begin')
    await other.query('select pg_advisory_xact_lock($1)', [advisoryLocks.readModelSchema])
    await other.query('create schema read')
    const prepared = prepareTables(pool, [validAppointments])
    await waitUntil(async () => {
      const { rows } = await other.query(
        `select from pg_locks where locktype = 'advisory' and not granted
           and database = (select oid from pg_database where datname = current_database())`,
      )
      return rows.length > 0
    })
    await other.query('commit')
    expect(await prepared).toEqual([])
    expect((await pool.query('select name from read.checkpoints')).rows).toEqual([{ name: 'appointments' }])
  } finally {
    await pool.end()
    await other.end()
  }
})
