import { Client as DatabaseClient } from 'pg'
import { BackendTerminatedError, ConnectionError, StatementTimeoutError } from 'slonik'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { productionTimeouts } from '#database/timeouts.ts'
import { isDatabaseUnavailable } from '#database/transient-errors.ts'
import type { Client } from '#tests/support/client.ts'
import { newOwner } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts'
import {
  type ConnectionKillingProxy,
  startConnectionKillingProxy,
} from '#tests/support/wire/connection-killing-proxy.ts'
import { itLong } from '#tests/support/long.ts'

describe('the application whose PostgreSQL terminates connections as soon as they are ready', () => {
  let database: TestDatabase
  let proxy: ConnectionKillingProxy
  let app: TestApp
  let client: Client

  beforeAll(async () => {
    database = await createTestDatabase()
    proxy = await startConnectionKillingProxy(database.url)
    app = await startTestApp({ databaseUrl: proxy.url, timeouts: productionTimeouts })
    ;({ client } = await newOwner(app))
  })
  afterEach(() => proxy.stopKilling())
  afterAll(async () => {
    await app.dispose()
    await proxy.close()
    await database.drop()
  })

  const listProviders = () => client.get('/api/providers')
  const recovered = () => expect.poll(async () => (await listProviders()).status).toBe(200)

  it('replies 503 while connections are terminated, and recovers afterwards', async () => {
    await recovered()
    proxy.startKilling('statement_timeout')
    const answer = await listProviders()
    expect(answer).toMatchObject({ status: 503, problem: { code: 'store-unavailable' } })
    expect(answer.headers.get('retry-after')).toBe('5')
    proxy.stopKilling()
    await recovered()
  })

  it('replies 503 when every new connection fails, and recovers afterwards', async () => {
    await recovered()
    proxy.startKilling('client_encoding')
    for (const { status, problem } of await Promise.all(Array.from({ length: 30 }, listProviders)))
      expect({ status, code: problem.code }).toEqual({ status: 503, code: 'store-unavailable' })
    const booked = await client.post('/api/patients', { firstName: 'Ada', lastName: 'Lovelace' })
    expect(booked).toMatchObject({ status: 503, problem: { code: 'store-unavailable' } })
    proxy.stopKilling()
    await recovered()
  })

  itLong('fails queued requests with 503 and serves new ones as soon as it can', async () => {
    await recovered()
    // Opens every connection of the pool, so that the lock is reached at once.
    await Promise.all(Array.from({ length: 20 }, listProviders))
    const holder = new DatabaseClient({ connectionString: database.url })
    await holder.connect()
    await holder.query('begin; lock table read.providers in access exclusive mode')
    const requests = Array.from({ length: 60 }, listProviders)
    const waiting = async () => {
      const { rows } = await app.services.pool.query<{ count: number }>(
        `select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      return rows[0]?.count
    }
    await expect.poll(waiting).toBe(10)
    proxy.startKilling('statement_timeout')
    await holder.query('commit')
    await holder.end()
    for (const { status } of await Promise.all(requests)) expect(status).toBe(503)
    proxy.stopKilling()
    await recovered()
  })
})

describe('an error', () => {
  const withCode = (code: string) => Object.assign(new Error('message of Node'), { code })

  it.each([
    withCode('EHOSTUNREACH'),
    withCode('ENOTFOUND'),
    withCode('25006'),
    withCode('57P03'),
    new Error('timeout expired'),
    new ConnectionError('no way', { cause: new Error('Client is pending destroy.') }),
    new BackendTerminatedError(new Error('Connection terminated')),
    new StatementTimeoutError(withCode('57014')),
    new Error('The data keys cannot be reached', { cause: new Error('Query read timeout') }),
  ])('means that the database is unavailable: %o', (error) => {
    expect(isDatabaseUnavailable(error)).toBe(true)
  })

  it.each([
    new TypeError("Cannot read properties of undefined (reading 'id')"),
    withCode('42P01'),
    withCode('23505'),
    new Error('The client of the practice is away'),
    'ECONNREFUSED',
    null,
  ])('is a bug: %o', (error) => {
    expect(isDatabaseUnavailable(error)).toBe(false)
  })
})
