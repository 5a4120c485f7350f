import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Problem } from '#contracts/problem.ts'
import { productionTimeouts } from '#database/timeouts.ts'
import { checkHealth } from '#tests/support/check-health.ts'
import type { ApiResponse, Client } from '#tests/support/client.ts'
import { newOwner } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { startWireServer, type WireServer } from '#tests/support/wire/server.ts'
import { itLong } from '#tests/support/long.ts'

/** Returns a patient with a unique name, never a possible duplicate. */
const patient = () => {
  const letters = randomUUID().replaceAll(/[^a-f]/g, '')
  return { firstName: `A${letters.slice(0, 5)}`, lastName: `Z${letters.slice(5)}` }
}

describe('the application on an EventStoreDB', () => {
  let server: WireServer
  let app: TestApp
  let client: Client

  const add = () => client.post('/api/patients', patient())
  const count = async () => {
    const answer = await client.get('/api/patients')
    expect(answer.status).toBe(200)
    return answer.body.length as number
  }
  const health = () => checkHealth(app)

  /** Expects a 503 from the application's own time-out: the store comes back only after this reply. */
  function expectUnavailable(answer: ApiResponse) {
    expect(answer.status).toBe(503)
    expect(Problem.parse(answer.body)).toMatchObject({
      code: 'store-unavailable',
      message: 'Nothing can be saved right now. Please try again in a moment.',
    })
    expect(answer.headers.get('retry-after')).toBe('5')
  }

  beforeAll(async () => {
    server = await startWireServer()
    app = await startTestApp({ eventStoreUrl: server.url, timeouts: productionTimeouts })
    ;({ client } = await newOwner(app))
  })
  afterAll(async () => {
    await app.dispose()
    await server.stop()
  })

  it('stores every event there and updates read models at once', async () => {
    expect((await add()).status).toBe(201)
    expect(await count()).toBe(1)
    expect(server.log.all.map(({ type }) => type)).toContain('PatientRegistered')
    const { rows } = await app.services.pool.query(`select to_regclass('es.events') as events`)
    expect(rows).toEqual([{ events: null }])
    await expect.poll(health).toMatchObject({ status: 'ok', services: { eventStore: 'ok' } })
  })

  it('replies 503 to commands while it is gone, still serves reads, and recovers by itself', async () => {
    const before = await count()
    await server.proxy.stopListening()
    expectUnavailable(await add())
    expect(await count()).toBe(before)
    await expect.poll(health).toMatchObject({ status: 'down', services: { database: 'ok', eventStore: 'down' } })
    // A refusal does not wait for its record, which follows when the store is back.
    expect((await app.newClient().get('/api/appointment-types')).status).toBe(401)
    await server.proxy.resumeListening()
    await expect.poll(() => server.log.all.map(({ type }) => type)).toContain('RequestRefused')
    await expect.poll(async () => (await add()).status, { interval: 200 }).toBe(201)
    await expect.poll(count).toBe(before + 1)
    await expect.poll(health).toMatchObject({ status: 'ok' })
  })

  itLong(
    'says that a command was perhaps saved while it hangs, still serves reads, and recovers by itself',
    async () => {
      const before = await count()
      server.proxy.freeze()
      // It was sent, and may arrive once the connection responds again.
      expect(await add()).toMatchObject({ status: 503, problem: { code: 'outcome-unknown' } })
      expect(await count()).toBe(before)
      await expect.poll(health).toMatchObject({ status: 'down', services: { eventStore: 'down' } })
      server.proxy.thaw()
      await expect.poll(async () => (await add()).status, { interval: 200 }).toBe(201)
      await expect.poll(count).toBeGreaterThan(before)
    },
  )

  itLong('does the same when it hangs in the middle of a command', async () => {
    const before = await count()
    const stopListening = server.log.listen(() => server.proxy.freeze())
    const answer = await add()
    expect(answer).toMatchObject({ status: 503, problem: { code: 'outcome-unknown' } })
    stopListening()
    server.proxy.thaw()
    // Written without a confirmation: it is there once.
    await expect.poll(count).toBe(before + 1)
    expect((await add()).status).toBe(201)
    expect(await count()).toBe(before + 2)
  })

  it('verifies whether an unanswered append was written', async () => {
    const before = await count()
    server.faults.silentAfterWrite = 1
    expect((await add()).status).toBe(201)
    expect(await count()).toBe(before + 1)
  })

  it('writes a command once when the reply to its append is lost', async () => {
    const before = await count()
    server.faults.dropAfterWrite = 1
    expect((await add()).status).toBe(201)
    expect(await count()).toBe(before + 1)
  })

  it('starts without it, serves existing read models, and accepts commands once it is back', async () => {
    const before = await count()
    await server.proxy.stopListening()
    const instance = await startTestApp({ eventStoreUrl: server.url, databaseUrl: app.databaseUrl })
    const otherClient = instance.newClient()
    otherClient.setCookie(client.cookie())
    const list = await otherClient.get('/api/patients')
    expect([list.status, list.body.length]).toEqual([200, before])
    expectUnavailable(await otherClient.post('/api/patients', patient()))
    await server.proxy.resumeListening()
    await expect
      .poll(async () => (await otherClient.post('/api/patients', patient())).status, { interval: 200 })
      .toBe(201)
    await expect.poll(async () => (await otherClient.get('/api/patients')).body.length).toBe(before + 1)
    await instance.stopInstance()
  })

  it('refuses read models built from another event store', async () => {
    await expect(startTestApp({ databaseUrl: app.databaseUrl })).rejects.toThrow(
      expect.objectContaining({
        name: 'StartError',
        message: expect.stringMatching(
          /^The read models were derived from another event store: they are at es-\S+\. [^\n]+rebuild --all --moved$/,
        ),
      }),
    )
  })
})
