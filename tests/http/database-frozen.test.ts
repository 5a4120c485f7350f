import { randomUUID } from 'node:crypto'
import { Client as DatabaseClient } from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { Problem } from '#contracts/problem.ts'
import { advisoryLocks } from '#database/advisory-locks.ts'
import { createHealthCheck } from '#runtime/health.ts'
import type { Client } from '#tests/support/client.ts'
import { readAllEvents } from '#tests/support/events.ts'
import { newOwner } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts'
import { type FaultyProxy, startFaultyProxy } from '#tests/support/wire/faulty-proxy.ts'

/** Nobody who could be taken for another. */
const patient = () => {
  const letters = randomUUID().replaceAll(/[^a-f]/g, '')
  return { firstName: `A${letters.slice(0, 5)}`, lastName: `Z${letters.slice(5)}` }
}

describe('the application whose network to PostgreSQL swallows everything', () => {
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
    app = await startTestApp({ databaseUrl: address.href })
    ;({ client } = await newOwner(app))
  })
  afterEach(() => network.thaw())
  afterAll(async () => {
    // What leads nowhere would never say goodbye.
    network.dropConnections()
    await app.dispose()
    await network.close()
    await database.drop()
  })

  const noAccount = { email: 'nobody@example.org', password: 'not the password' }

  /** Expects the request to time out in the application. Call it while the network is frozen, and thaw the network later. */
  async function expectAway(asked: () => ReturnType<Client['post']>, code = 'store-unavailable') {
    const answer = await asked()
    expect(answer.status).toBe(503)
    expect(Problem.parse(answer.body).code).toBe(code)
    expect(answer.headers.get('retry-after')).toBe('5')
  }

  it('answers 503 while it hangs, health is red, and it goes on when the network does', async () => {
    expect((await add()).status).toBe(201)
    network.freeze()
    await Promise.all([
      ...Array.from({ length: 12 }, () => expectAway(() => add())),
      expectAway(() => client.get('/api/patients')),
      expectAway(() => app.newClient().post('/api/login', noAccount), 'sign-in-unavailable'),
    ])
    const look = createHealthCheck(
      () => ({
        checkServices: app.checkServices,
        readModels: app.projectionRunner.getStates,
        countDeadLetters: app.countDeadLetters,
      }),
      'test',
    )
    expect(await look()).toMatchObject({ status: 'down', services: { database: 'down', eventStore: 'down' } })
    network.thaw()
    await recovered()
  })

  it('answers so, too, whose append waits for an answer, and what is then written is written once', async () => {
    const holder = new DatabaseClient({ connectionString: database.url })
    await holder.connect()
    await holder.query(`begin; select pg_advisory_xact_lock(${advisoryLocks.append})`)
    const who = patient()
    await expectAway(() => add(who))
    await holder.query('commit')
    await holder.end()
    await recovered()
    const events = await readAllEvents(app.services.store)
    const times = events.filter(({ type, data }) => type === 'PatientRegistered' && data['lastName'] === who.lastName)
    expect(times.length).toBeLessThanOrEqual(1)
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length)
  })

  it('answers so when only new connections lead nowhere, and when what is read is locked', async () => {
    network.blackholeNewConnections()
    network.dropConnections()
    await expectAway(() => client.get('/api/patients'))
    network.thaw()
    await recovered()

    const holder = new DatabaseClient({ connectionString: database.url })
    await holder.connect()
    await holder.query('begin; lock table read.patients in access exclusive mode')
    await expectAway(() => client.get('/api/patients'))
    await holder.query('commit')
    await holder.end()
    await recovered()
  })

  it('finds new ways when every connection it has leads nowhere', async () => {
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
