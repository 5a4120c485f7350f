import { Client as DatabaseClient } from 'pg'
import { BackendTerminatedError, ConnectionError, StatementTimeoutError } from 'slonik'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { isDatabaseUnavailable } from '#http/database-unavailable.ts'
import type { Client } from '#tests/support/client.ts'
import { newOwner } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts'
import {
  type ConnectionKillingProxy,
  startConnectionKillingProxy,
} from '#tests/support/wire/connection-killing-proxy.ts'

describe('the application whose PostgreSQL ends connections the moment they are ready', () => {
  let database: TestDatabase
  let way: ConnectionKillingProxy
  let app: TestApp
  let client: Client

  beforeAll(async () => {
    database = await createTestDatabase()
    way = await startConnectionKillingProxy(database.url)
    app = await startTestApp({ databaseUrl: way.url })
    ;({ client } = await newOwner(app))
  })
  afterEach(() => way.stopKilling())
  afterAll(async () => {
    await app.dispose()
    await way.close()
    await database.drop()
  })

  const look = () => client.get('/api/providers')
  const recovered = () => expect.poll(async () => (await look()).status).toBe(200)

  it('answers 503 to one who asks then, and goes on when that is over', async () => {
    await recovered()
    way.startKilling('statement_timeout')
    const answer = await look()
    expect(answer).toMatchObject({ status: 503, problem: { code: 'store-unavailable' } })
    expect(answer.headers.get('retry-after')).toBe('5')
    way.stopKilling()
    await recovered()
  })

  it('answers so, and goes on, when that is how every new connection ends', async () => {
    await recovered()
    way.startKilling('client_encoding')
    for (const { status, problem } of await Promise.all(Array.from({ length: 30 }, look)))
      expect({ status, code: problem.code }).toEqual({ status: 503, code: 'store-unavailable' })
    const booked = await client.post('/api/patients', { firstName: 'Ada', lastName: 'Lovelace' })
    expect(booked).toMatchObject({ status: 503, problem: { code: 'store-unavailable' } })
    way.stopKilling()
    await recovered()
  })

  it('never falls over those who wait for their turn, and lets them ask as soon as it can', async () => {
    await recovered()
    // Every connection there can be is open, so that the lock is reached at once.
    await Promise.all(Array.from({ length: 20 }, look))
    const holder = new DatabaseClient({ connectionString: database.url })
    await holder.connect()
    await holder.query('begin; lock table read.providers in access exclusive mode')
    const asked = Array.from({ length: 60 }, look)
    const waiting = async () => {
      const { rows } = await app.services.pool.query<{ count: number }>(
        `select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      return rows[0]?.count
    }
    await expect.poll(waiting).toBe(10)
    way.startKilling('statement_timeout')
    await holder.query('commit')
    await holder.end()
    for (const { status } of await Promise.all(asked)) expect(status).toBe(503)
    way.stopKilling()
    await recovered()
  })
})

describe('what failed', () => {
  const coded = (code: string) => Object.assign(new Error('what Node says'), { code })

  it.each([
    coded('EHOSTUNREACH'),
    coded('ENOTFOUND'),
    coded('25006'),
    coded('57P03'),
    new Error('timeout expired'),
    new ConnectionError('no way', { cause: new Error('Client is pending destroy.') }),
    new BackendTerminatedError(new Error('Connection terminated')),
    new StatementTimeoutError(coded('57014')),
    new Error('The data keys cannot be reached', { cause: new Error('Query read timeout') }),
  ])('is the database that is away: %o', (error) => {
    expect(isDatabaseUnavailable(error)).toBe(true)
  })

  it.each([
    new TypeError("Cannot read properties of undefined (reading 'id')"),
    coded('42P01'),
    coded('23505'),
    new Error('The client of the practice is away'),
    'ECONNREFUSED',
    null,
  ])('is a bug: %o', (error) => {
    expect(isDatabaseUnavailable(error)).toBe(false)
  })
})
