import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPool, withConnection } from '#database/pool.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts'
import {
  type ConnectionKillingProxy,
  startConnectionKillingProxy,
} from '#tests/support/wire/connection-killing-proxy.ts'

describe('connections that PostgreSQL ends while the pool hands them out', () => {
  let database: TestDatabase
  let way: ConnectionKillingProxy

  beforeAll(async () => {
    database = await createTestDatabase()
    way = await startConnectionKillingProxy(database.url)
  })
  afterAll(async () => {
    await way.close()
    await database.drop()
  })

  it.each([
    { moment: 'when they are new', name: undefined, after: 0 },
    { moment: 'when they are reused', name: undefined, after: 1 },
    { moment: 'when they are reused, with an application name', name: 'everchart', after: 2 },
  ])('fail only the waiting queries: $moment', async ({ name, after }) => {
    const pool = openPool(way.url, 1, name)
    way.startKilling('user', after)
    const asked = Array.from({ length: 10 }, (_, nr) =>
      nr % 2 === 0 ? pool.query('select 1 as one') : withConnection(pool, (client) => client.query('select 1 as one')),
    )
    const outcomes = await Promise.allSettled(asked)
    expect(outcomes.filter(({ status }) => status === 'rejected').length).toBeGreaterThanOrEqual(5)
    way.stopKilling()
    expect((await withConnection(pool, (client) => client.query('select 1 as one'))).rows).toEqual([{ one: 1 }])
    await pool.end()
  })
})
