import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPool, openRelaxedPool, withConnection } from '#database/pool.ts'
import { productionTimeouts } from '#database/timeouts.ts'
import { isTransient } from '#database/transient-errors.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts'
import {
  type ConnectionKillingProxy,
  startConnectionKillingProxy,
} from '#tests/support/wire/connection-killing-proxy.ts'

describe('connections that PostgreSQL terminates while they are handed over', () => {
  let database: TestDatabase
  let proxy: ConnectionKillingProxy

  beforeAll(async () => {
    database = await createTestDatabase()
    proxy = await startConnectionKillingProxy(database.url)
  })
  afterAll(async () => {
    await proxy.close()
    await database.drop()
  })

  it.each([
    { moment: 'when they are new', name: undefined, after: 0 },
    { moment: 'after a previous use', name: undefined, after: 1 },
    { moment: 'after a previous use, under an application name', name: 'everchart', after: 2 },
  ])('fail their queries and nothing else: $moment', async ({ name, after }) => {
    const pool = openPool(proxy.url, 1, name)
    proxy.startKilling('user', after)
    const queries = Array.from({ length: 10 }, (_, nr) =>
      nr % 2 === 0 ? pool.query('select 1 as one') : withConnection(pool, (client) => client.query('select 1 as one')),
    )
    const outcomes = await Promise.allSettled(queries)
    const errors = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as Error] : []))
    expect(errors.length).toBeGreaterThanOrEqual(5)
    expect(errors.filter((error) => !isTransient(error))).toEqual([])
    proxy.stopKilling()
    expect((await withConnection(pool, (client) => client.query('select 1 as one'))).rows).toEqual([{ one: 1 }])
    await pool.end()
  })

  it('are temporary errors, with and without an error code', async () => {
    const pool = openPool(database.url, 1)
    const errors = await withConnection(pool, async (client) => {
      const catchError = (query: string) =>
        client.query(query).then(
          () => undefined,
          (error: Error) => error,
        )
      const terminated = await catchError('select pg_terminate_backend(pg_backend_pid())')
      return [terminated, await catchError('select 1'), await catchError('select 1')]
    })
    expect(errors.map(isTransient)).toEqual([true, true, true])
    expect(errors.at(-1)).not.toHaveProperty('code')
    await expect(pool.query('select 1 / 0')).rejects.toSatisfy((error) => !isTransient(error))
    await pool.end()
  })
})

it('a relaxed pool does not wait for the disk, every other one does', async () => {
  const database = await createTestDatabase()
  const pools = [
    openPool(database.url, 1, 'everchart'),
    openRelaxedPool(database.url, 1, 'everchart', productionTimeouts),
  ]
  // The server of the test run waits for no disk at all.
  await pools[0]?.query(`alter database ${new URL(database.url).pathname.slice(1)} set synchronous_commit to on`)
  await pools[0]?.query('select pg_terminate_backend(pg_backend_pid())').catch(() => undefined)
  const settings = await Promise.all(
    pools.map(async (pool) => (await pool.query<{ synchronous_commit: string }>('show synchronous_commit')).rows[0]),
  )
  expect(settings).toEqual([{ synchronous_commit: 'on' }, { synchronous_commit: 'off' }])
  for (const pool of pools) await pool.end()
  await database.drop()
})
