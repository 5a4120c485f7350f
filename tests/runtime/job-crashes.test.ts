import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { type PostgresStore, openPostgresStore } from '#eventstore/postgres/store.ts'
import { openPool } from '#database/pool.ts'
import { type CrashPoint, crashPoints } from '#tests/support/crashing/deaths.ts'
import { newEvent, readAllEvents } from '#tests/support/events.ts'
import { waitUntil } from '#tests/support/until.ts'
import { processEnvironment } from '#tests/support/process-environment.ts'
import { createTestDatabase } from '#tests/support/test-database.ts'

/** Each of them starts two processes with the whole application in them, several at the same moment. */
const patience = 400_000

/** A vendor that does under one key what is asked first, and remembers every order's keys. */
async function vendor() {
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
    /** Has the first request done, and instead of an answer this happen. */
    insteadOfTheFirstAnswer: (happens: () => void) => void (onFirst = happens),
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

type Copy = { child: ChildProcess; ended: Promise<unknown> }

/** A practice of its own: a database, a vendor, and copies of the application that can die. */
async function practice() {
  const database = await createTestDatabase()
  const pool = openPool(database.url, 4)
  const store: PostgresStore = await openPostgresStore(pool)
  const paidAt = await vendor()
  const copies: Copy[] = []
  const placed: string[] = []
  return {
    paidAt,
    placed,
    async start(dieAt = ''): Promise<Copy> {
      const child = spawn(process.execPath, ['tests/support/crashing/copy.ts'], {
        env: { ...processEnvironment, DATABASE_URL: database.url, VENDOR_URL: paidAt.url, DIE_AT: dieAt },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const copy = { child, ended: once(child, 'exit') }
      copies.push(copy)
      const ready = once(child.stdout, 'data').then(() => true)
      const isReady = await Promise.race([ready, copy.ended.then(() => false)])
      if (!isReady) throw new Error(`The instance ended before it was ready: ${JSON.stringify(await copy.ended)}`)
      return copy
    },
    async place(): Promise<void> {
      const orderId = crypto.randomUUID()
      placed.push(orderId)
      await store.append(`order-${orderId}`, 'no-stream', [newEvent('OrderPlaced', { orderId })])
    },
    /** What dead copies had begun counts as abandoned now, as it does by itself after a quarter of a minute. */
    letTimePass: () =>
      pool.query(`update jobs.job set heartbeat_on = now() - interval '1 hour' where state = 'active'`),
    /** Waits until everything is paid and no job is under way, then tells what came of it. */
    async settled() {
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
        keys: [...paidAt.effects].map(([orderId, keys]) => [orderId, keys.size]).toSorted(),
        jobs: jobs.rows.map(({ state }) => state as string),
      }
    },
    async end() {
      for (const { child } of copies) child.kill('SIGKILL')
      await Promise.all(copies.map(({ ended }) => ended))
      paidAt.close()
      await store.close()
      await pool.end()
      await database.drop()
    },
  }
}
type Practice = Awaited<ReturnType<typeof practice>>

/** Each order paid once, under one key, by one job. */
async function expectAllPaidOnce(it: Practice): Promise<void> {
  const orders = it.placed.toSorted()
  expect(await it.settled()).toEqual({
    paid: orders,
    keys: orders.map((orderId) => [orderId, 1]),
    jobs: orders.map(() => 'completed'),
  })
}

async function inPractice(run: (it: Practice) => Promise<void>): Promise<void> {
  const it = await practice()
  try {
    await run(it)
  } finally {
    await it.end()
  }
}

test.concurrent.each(crashPoints)(
  'killed %s: nothing is lost, nothing doubled',
  (moment) =>
    inPractice(async (it) => {
      const first = await it.start(moment)
      await Promise.all([1, 2, 3].map(() => it.place()))
      expect(await first.ended).toEqual([null, 'SIGKILL'])
      await it.place()
      await it.letTimePass()
      await it.start()
      await expectAllPaidOnce(it)
    }),
  patience,
)

test.concurrent('killed while the vendor is at it: asked again under the same key', { timeout: patience }, () =>
  inPractice(async (it) => {
    const first = await it.start()
    it.paidAt.insteadOfTheFirstAnswer(() => void first.child.kill('SIGKILL'))
    await it.place()
    await first.ended
    await it.letTimePass()
    await it.start()
    await expectAllPaidOnce(it)
  }),
)

const besideAnother: CrashPoint[] = [
  'after the job is put down',
  'after the checkpoint is committed',
  'after the effect',
  'after the fact is appended',
]

test.concurrent.each(besideAnother)(
  'killed %s, another copy carries on by itself',
  (moment) =>
    inPractice(async (it) => {
      const [dying] = await Promise.all([it.start(moment), it.start()])
      let dead = false
      void dying.ended.then(() => (dead = true))
      // Either copy may take an order: they come until the one has died of one.
      while (!dead) {
        await it.place()
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      await it.place()
      await expectAllPaidOnce(it)
    }),
  patience,
)
