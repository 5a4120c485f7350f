import { randomUUID } from 'node:crypto'
import { Client as DatabaseClient } from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { Problem } from '#contracts/problem.ts'
import { advisoryLocks } from '#database/advisory-locks.ts'
import { productionTimeouts } from '#database/timeouts.ts'
import { checkHealth } from '#tests/support/check-health.ts'
import type { Client } from '#tests/support/client.ts'
import { readAllEvents } from '#tests/support/events.ts'
import { newOwner } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts'
import { type FaultyProxy, startFaultyProxy } from '#tests/support/wire/faulty-proxy.ts'

/** Returns a patient with a unique name, never a possible duplicate. */
const patient = () => {
  const letters = randomUUID().replaceAll(/[^a-f]/g, '')
  return { firstName: `A${letters.slice(0, 5)}`, lastName: `Z${letters.slice(5)}` }
}

describe('the application whose network to PostgreSQL drops everything', () => {
  let database: TestDatabase
  let network: FaultyProxy
  let app: TestApp
  let client: Client

  const add = (who = patient()) => client.post('/api/patients', who)
  const recovered = () => expect.poll(async () => (await add()).status, { interval: 200 }).toBe(201)

  beforeAll(async () => {
    database = await createTestDatabase()
    const address = new URL(database.url)
    const port = Number(address.port)
    network = await startFaultyProxy(() => port)
    address.hostname = '127.0.0.1'
    address.port = String(network.port)
    app = await startTestApp({ databaseUrl: address.href, timeouts: productionTimeouts })
    ;({ client } = await newOwner(app))
  })
  afterEach(() => network.thaw())
  afterAll(async () => {
    // Stranded connections would never close by themselves.
    network.dropConnections()
    await app.dispose()
    await network.close()
    await database.drop()
  })

  const noAccount = { email: 'unknown@example.org', password: 'not the password' }

  /** Expects a 503 from the application's own time-out: the fault must last until the reply is here. */
  async function expectUnavailable(request: () => ReturnType<Client['post']>, code = 'store-unavailable') {
    const answer = await request()
    expect(answer.status).toBe(503)
    expect(Problem.parse(answer.body).code).toBe(code)
    expect(answer.headers.get('retry-after')).toBe('5')
  }

  it('replies 503 and reports itself down while the network hangs, and recovers afterwards', async () => {
    expect((await add()).status).toBe(201)
    network.freeze()
    await Promise.all([
      ...Array.from({ length: 12 }, () => expectUnavailable(() => add())),
      expectUnavailable(() => client.get('/api/patients')),
      expectUnavailable(() => app.newClient().post('/api/login', noAccount), 'sign-in-unavailable'),
    ])
    expect(await checkHealth(app)).toMatchObject({ status: 'down', services: { database: 'down', eventStore: 'down' } })
    network.thaw()
    await recovered()
  })

  it('replies 503 to a request whose append waits for a lock, and writes nothing of it', async () => {
    const holder = new DatabaseClient({ connectionString: database.url })
    await holder.connect()
    await holder.query(`begin; select pg_advisory_xact_lock(${advisoryLocks.append})`)
    const added = patient()
    await expectUnavailable(() => add(added))
    await holder.query('commit')
    await holder.end()
    await recovered()
    const events = await readAllEvents(app.services.store)
    const registrations = events.filter(
      ({ type, data }) => type === 'PatientRegistered' && data['lastName'] === added.lastName,
    )
    expect(registrations).toEqual([])
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length)
  })

  it('replies 503 when only new connections hang, and when the table is locked', async () => {
    network.blackholeNewConnections()
    network.dropConnections()
    await expectUnavailable(() => client.get('/api/patients'))
    network.thaw()
    await recovered()

    const holder = new DatabaseClient({ connectionString: database.url })
    await holder.connect()
    await holder.query('begin; lock table read.patients in access exclusive mode')
    await expectUnavailable(() => client.get('/api/patients'))
    await holder.query('commit')
    await holder.end()
    await recovered()
  })

  it('opens new connections when every existing one hangs', async () => {
    network.strandOpenConnections()
    await recovered()
    const added = patient()
    expect((await add(added)).status).toBe(201)
    const listed = async () =>
      ((await client.get('/api/patients')).body as { lastName: string }[]).some(
        (row) => row.lastName === added.lastName,
      )
    await expect.poll(listed, { interval: 200 }).toBe(true)
    const lags = async () => (await app.projectionRunner.getStates()).map(({ lag }) => lag)
    await expect.poll(lags).toEqual((await app.projectionRunner.getStates()).map(() => 0))
  })
})
