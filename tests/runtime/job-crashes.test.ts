import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { type PostgresStore, openPostgresStore } from '#eventstore/postgres/store.ts'
import { openPool } from '#database/pool.ts'
import { type CrashPoint, crashPoints } from '#tests/support/crashing/crash-points.ts'
import { newEvent, readAllEvents } from '#tests/support/events.ts'
import { someOf } from '#tests/support/long.ts'
import { waitUntil } from '#tests/support/wait-until.ts'
import { processEnvironment } from '#tests/support/process-environment.ts'
import { createTestDatabase } from '#tests/support/test-database.ts'

/** Each test starts two processes with the whole application, several tests at a time. */
const timeoutMs = 400_000

/** Starts a vendor that records the idempotency keys of every order. */
async function startVendor() {
  const effects = new Map<string, Set<string>>()
  let onFirst: (() => void) | undefined
  const server: Server = createServer((request, response) => {
    let orderId = ''
    request.on('data', (chunk: Buffer) => (orderId += chunk.toString()))
    request.on('end', () => {
      const keys = effects.get(orderId) ?? new Set()
      effects.set(orderId, keys.add(String(request.headers['idempotency-key'])))
      if (!onFirst) return void response.end('paid')
      onFirst()
      onFirst = undefined
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    effects,
    /** Executes the first request and runs `action` instead of replying. */
    replaceFirstReply: (action: () => void) => void (onFirst = action),
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

type Instance = { child: ChildProcess; ended: Promise<unknown> }

/** Creates a database, a vendor, and instances of the application that can crash. */
async function createFixture() {
  const database = await createTestDatabase()
  const pool = openPool(database.url, 4)
  const store: PostgresStore = await openPostgresStore(pool)
  const vendor = await startVendor()
  const instances: Instance[] = []
  const placed: string[] = []
  return {
    vendor,
    placed,
    async start(crashPoint = ''): Promise<Instance> {
      const child = spawn(process.execPath, ['tests/support/crashing/instance-process.ts'], {
        env: { ...processEnvironment, DATABASE_URL: database.url, VENDOR_URL: vendor.url, CRASH_AT: crashPoint },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const instance = { child, ended: once(child, 'exit') }
      instances.push(instance)
      const ready = once(child.stdout, 'data').then(() => true)
      const isReady = await Promise.race([ready, instance.ended.then(() => false)])
      if (!isReady) throw new Error(`The instance ended before it was ready: ${JSON.stringify(await instance.ended)}`)
      return instance
    },
    async placeOrder(): Promise<void> {
      const orderId = crypto.randomUUID()
      placed.push(orderId)
      await store.append(`order-${orderId}`, 'no-stream', [newEvent('OrderPlaced', { orderId })])
    },
    /** Expires the heartbeats of killed instances, which otherwise takes fifteen seconds. */
    expireHeartbeats: () =>
      pool.query(`update jobs.job set heartbeat_on = now() - interval '1 hour' where state = 'active'`),
    /** Waits until every order is paid and no job is running, and returns the results. */
    async waitUntilPaid() {
      const paid = async () => (await readAllEvents(store)).filter(({ type }) => type === 'OrderPaid')
      await waitUntil(async () => (await paid()).length >= placed.length, Boolean, 150_000)
      await waitUntil(
        async () => {
          const { rows } = await pool.query(`select from jobs.job where name = 'pay-order' and state < 'completed'`)
          return rows.length === 0
        },
        Boolean,
        150_000,
      )
      const jobs = await pool.query(`select state::text from jobs.job where name = 'pay-order'`)
      return {
        paid: (await paid()).map(({ data }) => data['orderId'] as string).toSorted(),
        keys: [...vendor.effects].map(([orderId, keys]) => [orderId, keys.size]).toSorted(),
        jobs: jobs.rows.map(({ state }) => state as string),
      }
    },
    async end() {
      for (const { child } of instances) child.kill('SIGKILL')
      await Promise.all(instances.map(({ ended }) => ended))
      vendor.close()
      await store.close()
      await pool.end()
      await database.drop()
    },
  }
}
type Fixture = Awaited<ReturnType<typeof createFixture>>

/** Expects each order to be paid once, under one key, by one job. */
async function expectAllPaidOnce(fixture: Fixture): Promise<void> {
  const orders = fixture.placed.toSorted()
  expect(await fixture.waitUntilPaid()).toEqual({
    paid: orders,
    keys: orders.map((orderId) => [orderId, 1]),
    jobs: orders.map(() => 'completed'),
  })
}

async function withFixture(run: (fixture: Fixture) => Promise<void>): Promise<void> {
  const fixture = await createFixture()
  try {
    await run(fixture)
  } finally {
    await fixture.end()
  }
}

test.concurrent.each(someOf(crashPoints, 1))(
  'killed %s: nothing is lost or duplicated',
  (crashPoint) =>
    withFixture(async (fixture) => {
      const first = await fixture.start(crashPoint)
      await Promise.all([1, 2, 3].map(() => fixture.placeOrder()))
      expect(await first.ended).toEqual([null, 'SIGKILL'])
      await fixture.placeOrder()
      await fixture.expireHeartbeats()
      await fixture.start()
      await expectAllPaidOnce(fixture)
    }),
  timeoutMs,
)

test.concurrent('killed during the vendor call: repeated under the same key', { timeout: timeoutMs }, () =>
  withFixture(async (fixture) => {
    const first = await fixture.start()
    fixture.vendor.replaceFirstReply(() => void first.child.kill('SIGKILL'))
    await fixture.placeOrder()
    await first.ended
    await fixture.expireHeartbeats()
    await fixture.start()
    await expectAllPaidOnce(fixture)
  }),
)

const takeoverPoints: CrashPoint[] = [
  'after the job is enqueued',
  'after the checkpoint is committed',
  'after the effect',
  'after the event is appended',
]

test.concurrent.each(someOf(takeoverPoints, 1))(
  'killed %s, another instance takes over',
  (crashPoint) =>
    withFixture(async (fixture) => {
      const [dying] = await Promise.all([fixture.start(crashPoint), fixture.start()])
      let hasCrashed = false
      void dying.ended.then(() => (hasCrashed = true))
      // Either instance may take an order: orders are placed until the first has crashed.
      while (!hasCrashed) {
        await fixture.placeOrder()
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      await fixture.placeOrder()
      await expectAllPaidOnce(fixture)
    }),
  timeoutMs,
)
