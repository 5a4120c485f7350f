import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addUsage, clockSkewMs, findWait, type PeriodLimits, type Usage } from '#http/usage.ts'
import { createUsageStore, deleteExpiredUsage } from '#http/usage-store.ts'
import { createWriteQuotas, productionQuotas, unlimitedQuotas } from '#http/write-quotas.ts'
import type { CommandContext } from '#eventstore/command.ts'
import type { Caller } from '#http/session.ts'
import { importFile, settled } from '#tests/modules/patients/import/import-fixtures.ts'
import { subscribe, waitForUserSubscription } from '#tests/support/billing.ts'
import { cases, itLong } from '#tests/support/long.ts'
import { waitUntil } from '#tests/support/wait-until.ts'
import { openEventStream } from '#tests/support/event-stream.ts'
import { newOwner, practiceDetails, registrationForm } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'

const minute = 60_000
const limits: PeriodLimits = {
  minute: { rows: 10, bytes: 1_000 },
  hour: { rows: 50, bytes: 5_000 },
  day: { rows: 100, bytes: 10_000 },
}

const write = fc.record({
  rows: fc.nat(6),
  bytes: fc.nat(600),
  /** Milliseconds since the previous write; the clock may be set back. */
  after: fc.oneof(fc.nat(2 * minute), fc.nat(26 * 60 * minute), fc.integer({ min: -48 * 60 * minute, max: 0 })),
})

describe('the usage of a practice', () => {
  it('never lets more through than a limit and one write within a period, and never waits longer than a day', () => {
    fc.assert(
      fc.property(fc.array(write, { maxLength: 200 }), (writes) => {
        let usage: Usage | undefined
        let now = 0
        for (const { rows, bytes, after } of writes) {
          now += after
          const wait = findWait(usage, limits, now)
          expect(wait).toBeGreaterThanOrEqual(0)
          expect(wait).toBeLessThanOrEqual(24 * 60 * minute + clockSkewMs)
          // After the wait, which no later write prolongs, more may be written.
          expect(findWait(usage, limits, now + wait)).toBe(0)
          if (wait === 0) usage = addUsage(usage, { rows, bytes }, now)
          for (const period of ['minute', 'hour', 'day'] as const) {
            expect(usage?.[period].rows ?? 0).toBeLessThan(limits[period].rows + 6)
            expect(usage?.[period].bytes ?? 0).toBeLessThan(limits[period].bytes + 600)
          }
        }
      }),
    )
  })
})

describe('quotas', () => {
  let app: TestApp
  const quotas = {
    ...unlimitedQuotas,
    demoPractice: { ...productionQuotas.demoPractice, minute: { rows: 20, bytes: 5_000 } },
    allDemoPractices: { ...productionQuotas.allDemoPractices, minute: { rows: 30, bytes: 1_000_000 } },
    streams: { demoPractice: 2, subscribedPractice: 3, allDemoPractices: 50 },
    registrationsPerNetwork: 12,
    newsletterRequestsPerNetwork: 12,
    newsletterRequests: 12,
  }
  beforeAll(async () => {
    app = await startTestApp({ quotas })
    app.stopClock()
  })
  afterAll(() => app.dispose())

  /** Creates the quotas of one more instance on the same database, with its own time. */
  const startInstance = (now: string) =>
    createWriteQuotas(quotas, {
      store: createUsageStore(app.services.relaxedPool),
      clock: () => new Date(now),
      logger: app.services.logger,
      maxWaitMs: 60_000,
    })
  const newCaller = (subscriptionStatus: 'demo' | 'active') =>
    ({ practiceId: randomUUID(), subscriptionStatus }) as unknown as Caller
  const writtenBy = ({ practiceId }: Caller) =>
    ({ practiceId, actor: { kind: 'user', userId: randomUUID(), role: 'staff' }, correlationId: '' }) as CommandContext

  const addPatient = (client: Awaited<ReturnType<typeof newOwner>>['client'], notes = '') =>
    client.post('/api/patients', { firstName: 'Ada', lastName: randomUUID(), notes })

  /** Ends the current minute, with everything counted that was written in it. */
  async function endMinute() {
    await app.services.quotas.stop()
    app.advanceClock(minute)
  }

  itLong(
    'stop a demo practice that writes too many events, until the minute is over, and it can still read',
    async () => {
      const { client } = await newOwner(app)
      const statuses: number[] = []
      for (let n = 0; n < 30; n++) statuses.push((await addPatient(client)).status)
      expect(new Set(statuses)).toEqual(new Set([201, 429]))
      expect(statuses.filter((status) => status === 201).length).toBeLessThanOrEqual(20)
      const refused = await addPatient(client)
      expect(refused).toMatchObject({ status: 429, problem: { code: 'quota-exceeded' } })
      expect(refused.problem.message).toMatch(
        /^Your practice has saved as much as it can for now\. Please try again in (\d+ seconds|1 minute)\.$/,
      )
      const seconds = Number(refused.headers.get('retry-after'))
      expect(seconds).toBeGreaterThan(0)
      expect(seconds).toBeLessThanOrEqual(60)
      expect((await client.get('/api/patients')).status).toBe(200)
      expect((await client.post('/api/logout')).status).toBe(204)
      app.advanceClock(seconds * 1_000)
      const { client: again } = await newOwner(app)
      expect((await addPatient(again)).status).toBe(201)
    },
  )

  it('stop one that sends too many bytes', async () => {
    await endMinute()
    const { client } = await newOwner(app)
    expect((await addPatient(client, 'x'.repeat(4_999))).status).toBe(201)
    expect(await addPatient(client)).toMatchObject({ status: 429, problem: { code: 'quota-exceeded' } })
  })

  itLong('stop all demo practices together and further sign-ups, but no subscriber', async () => {
    await endMinute()
    const { client: subscriber } = await newOwner(app)
    await subscribe(subscriber, 'starter')
    await waitForUserSubscription(subscriber, 'trial')
    await endMinute()
    const { client: buyer } = await newOwner(app)
    const { client: bystander } = await newOwner(app)
    const { client: busy } = await newOwner(app)
    for (const client of [busy, bystander])
      for (let written = 0; written < 20; written++) if ((await addPatient(client)).status === 429) break
    const refused = await addPatient(bystander)
    expect(refused).toMatchObject({ status: 429, problem: { code: 'quota-exceeded' } })
    expect(refused.problem.message).toMatch(/^The demo practices have saved as much as they can for now\./)
    const newcomer = await app.newClient().post('/api/register', registrationForm())
    expect(newcomer).toMatchObject({ status: 429, problem: { code: 'too-many-sign-ups' } })
    for (let n = 0; n < 25; n++) expect((await addPatient(subscriber)).status).toBe(201)
    expect((await addPatient(buyer)).status).toBe(429)
    await subscribe(buyer, 'starter')
    await waitForUserSubscription(buyer, 'trial')
    expect((await addPatient(buyer)).status).toBe(201)
    await endMinute()
    expect((await addPatient(bystander)).status).toBe(201)
  })

  itLong('count the rows and the file of an import', async () => {
    app.advanceClock(2 * 24 * 60 * minute)
    const { client, practice } = await newOwner(app)
    const csv = `First name,Last name\n${Array.from({ length: 25 }, (_, n) => `Ada,${randomUUID()}${n}`).join('\n')}`
    await settled(client, await importFile(client, csv))
    expect(await addPatient(client)).toMatchObject({ status: 429, problem: { code: 'quota-exceeded' } })
    const readUsage = async () => {
      const { rows } = await app.services.pool.query<{ rows: string; bytes: string }>(
        "select rows, bytes from app.write_usage where owner = $1 and period = 'day'",
        [practice.id],
      )
      return { rows: Number(rows[0]?.rows), bytes: Number(rows[0]?.bytes) }
    }
    // 25 patients, and the events of the import itself.
    await waitUntil(async () => (await readUsage()).rows > 25)
    expect((await readUsage()).bytes).toBeGreaterThan(csv.length)
  })

  it('leave room for paying when the hour is used up', async () => {
    const rows = (count: number) => ({ rows: count, bytes: 1_000_000 })
    const demoPractice = { minute: rows(10), hour: rows(15), day: rows(15) }
    let now = Date.parse('2042-03-07T09:00:00Z')
    const store = createUsageStore(app.services.relaxedPool)
    const { logger } = app.services
    const one = createWriteQuotas(
      { ...unlimitedQuotas, demoPractice },
      { store, logger, clock: () => new Date(now), maxWaitMs: 60_000 },
    )
    const caller = newCaller('demo')
    const check = (isPayment: boolean) => one.check(caller, { isPayment })
    const write = async (count: number) => {
      one.recordEvents(writtenBy(caller), count)
      await one.stop()
      now += minute
    }
    await one.check(caller)
    await write(9)
    await write(6)
    await expect(check(false)).rejects.toMatchObject({ code: 'quota-exceeded' })
    await check(true)
    await write(9)
    await write(1)
    await expect(check(true)).rejects.toMatchObject({ code: 'quota-exceeded' })
  })

  it('hold after a restart, and in an instance that has seen nothing of the practice', async () => {
    const [caller, bystander] = [newCaller('demo'), newCaller('demo')]
    const now = '2041-03-07T09:00:00Z'
    const one = startInstance(now)
    await one.check(caller)
    one.recordEvents(writtenBy(caller), 20)
    await expect(one.check(caller)).rejects.toMatchObject({ code: 'quota-exceeded' })
    await one.stop()
    const other = startInstance(now)
    await expect(other.check(caller)).rejects.toMatchObject({ code: 'quota-exceeded' })
    await expect(other.check(bystander)).resolves.toBeUndefined()
    const later = startInstance('2041-03-07T09:01:00Z')
    await expect(later.check(caller)).resolves.toBeUndefined()
  })

  it('add up what several instances write, sample data and rows of jobs included', async () => {
    const now = '2042-03-07T09:00:00Z'
    const [caller, subscriber] = [newCaller('demo'), newCaller('active')]
    const [web, worker] = [startInstance(now), startInstance(now)]
    for (const each of [caller, subscriber]) await web.check(each)
    await web.stop()
    // The worker has served no request of either practice.
    worker.recordEvents(writtenBy(subscriber), 500)
    worker.recordEvents(writtenBy(caller), 19)
    await worker.stop()
    await expect(startInstance(now).checkSignUp()).resolves.toBeUndefined()
    const seed = { ...writtenBy(newCaller('demo')), actor: { kind: 'process', name: 'seed' }, sample: true } as const
    worker.recordEvents(seed, 11)
    await worker.stop()
    await expect(startInstance(now).checkSignUp()).rejects.toMatchObject({ code: 'too-many-sign-ups' })
  })

  it('are stored as they are computed', async () => {
    const store = createUsageStore(app.services.relaxedPool)
    let owner = ''
    await fc.assert(
      fc.asyncProperty(fc.array(write, { minLength: 1, maxLength: 15 }), async (writes) => {
        owner = randomUUID()
        let usage: Usage | undefined
        let now = Date.parse('2031-03-07T09:00:00Z')
        for (const { rows, bytes, after } of writes) {
          now += after
          usage = addUsage(usage, { rows, bytes }, now)
          const stored = await store.add([{ owner, rows, bytes, isDemo: null }], new Date(now))
          expect(stored.get(owner)).toEqual({ usage, isDemo: null })
        }
      }),
      { numRuns: cases(15, 300) },
    )
    await deleteExpiredUsage(app.services.pool, new Date('2040-01-01T00:00:00Z'))
    expect((await app.services.pool.query('select from app.write_usage where owner = $1', [owner])).rowCount).toBe(0)
  })

  it('limit the open streams of a practice', async () => {
    app.advanceClock(minute)
    const { client } = await newOwner(app)
    const streams = [await openEventStream(client, '/api/changes'), await openEventStream(client, '/api/changes')]
    expect(await client.get('/api/changes')).toMatchObject({ status: 429, problem: { code: 'too-many-streams' } })
    for (const stream of streams) stream.close()
  })

  it('limit registrations from one network', async () => {
    app.advanceClock(2 * 60 * minute)
    const statuses: number[] = []
    for (let n = 0; n < 14; n++) statuses.push((await app.newClient().post('/api/register', registrationForm())).status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(12)
    expect(statuses.at(-1)).toBe(429)
  })

  itLong('do not stop the set-up of a practice by a new user in production', async () => {
    const production = await startTestApp({ quotas: productionQuotas, hasSamplePractices: true })
    const { client } = await newOwner(production)
    expect((await client.post('/api/practices/setup', { ...practiceDetails, selectedPlan: 'starter' })).status).toBe(
      200,
    )
    expect((await addPatient(client)).status).toBe(201)
    await production.dispose()
  })
})
