import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Job } from '#jobs/job.ts'
import { withConnection } from '#database/pool.ts'
import { type JobsFixture, createJobsFixture } from '#tests/support/jobs-fixture.ts'
import { listStatements } from '#tests/support/list-statements.ts'
import { isLongRun, itLong } from '#tests/support/long.ts'
import { waitUntil } from '#tests/support/wait-until.ts'

let fixture: JobsFixture
beforeEach(async () => (fixture = await createJobsFixture()))
afterEach(() => fixture.dispose())

const noData = z.strictObject({})
const quick = (name: string, over: Partial<Job<null, object>> = {}): Job<null, object> => ({
  name,
  data: noData,
  run: async () => undefined,
  ...over,
})

itLong('retries with growing, random delays', async () => {
  let attempts = 0
  const failing = quick('failing', {
    retry: { limit: 2 },
    async run() {
      attempts++
      throw new Error('not yet')
    },
  })
  const jobs = await fixture.openJobs([failing])
  // A trigger records every delay when it is set: polling for it could be too late.
  await fixture.pool.query(`
    create table delays (nth serial, seconds float8);
    create function record_delay() returns trigger language plpgsql as $$ begin
      insert into delays (seconds) values (extract(epoch from new.start_after - now())); return null; end $$;
    create trigger record_delay after insert or update on jobs.job for each row when (new.state = 'retry')
      execute function record_delay()`)
  await jobs.startWorkers(null)
  await jobs.send('failing', {})
  await waitUntil(async () => (await fixture.listJobs('failing'))[0]?.state === 'failed')
  expect(attempts).toBe(3)
  const { rows } = await fixture.pool.query<{ seconds: number }>('select seconds from delays order by nth')
  const [first = 0, second = 0, ...others] = rows.map(({ seconds }) => seconds)
  // Random delays: from 1 to 2 seconds, then from 2 to 4.
  expect(first).toBeGreaterThan(0.9)
  expect(second).toBeGreaterThan(1.9)
  expect(others).toEqual([])
})

itLong('starts a job at once, and a delayed one not before its time', async () => {
  const started: string[] = []
  const named: Job<null, { n: string }> = {
    name: 'named',
    data: z.strictObject({ n: z.string() }),
    run: async (_, { n }) => void started.push(n),
  }
  const jobs = await fixture.openJobs([named])
  await jobs.startWorkers(null)
  await jobs.send('named', { n: 'later' }, { delaySeconds: 3_600 })
  await jobs.send('named', { n: 'now' })
  await waitUntil(async () => (await fixture.listJobs('named'))[1]?.state === 'completed')
  expect(started).toEqual(['now'])
  expect((await fixture.listJobs('named'))[0]).toMatchObject({ state: 'created', data: { n: 'later' } })
  // Its start time is reached.
  await fixture.pool.query(`update jobs.job set start_after = now() where name = 'named' and state = 'created'`)
  await waitUntil(() => started.length === 2)
  expect(started).toEqual(['now', 'later'])
})

it('enqueues a job with an id once, and none that is undeclared or has invalid data', async () => {
  const jobs = await fixture.openJobs([quick('known')])
  const id = crypto.randomUUID()
  await jobs.send('known', {}, { id })
  await jobs.send('known', {}, { id })
  await expect(jobs.send('unknown', {})).rejects.toThrow('No module declares a job unknown')
  await expect(jobs.send('known', { name: 'Ada' })).rejects.toThrow(z.ZodError)
  expect(await fixture.listJobs('known')).toHaveLength(1)
})

it('is not alive while jobs are long due and none of their queue runs', async () => {
  const jobs = await fixture.openJobs([quick('neglected'), quick('later')])
  await jobs.send('neglected', {})
  await jobs.send('later', {}, { delaySeconds: 3_600 })
  const dueFor = (minutes: number) =>
    fixture.pool.query(
      `update jobs.job set start_after = now() - make_interval(mins => $1) where name = 'neglected' and state = 'created'`,
      [minutes],
    )
  await dueFor(14)
  expect(await jobs.isAlive()).toBe(true)
  await dueFor(16)
  expect(await jobs.isAlive()).toBe(false)
  await jobs.startWorkers(null)
  await waitUntil(() => jobs.isAlive())
  // Many that became due at once take their time.
  await waitUntil(async () => (await fixture.listJobs('neglected'))[0]?.state === 'completed')
  await jobs.drain()
  await jobs.send('neglected', {})
  await dueFor(60)
  expect(await jobs.isAlive()).toBe(true)
})

it('runs as many jobs concurrently as declared, and then the rest', async () => {
  let running = 0
  let maxRunning = 0
  let done = 0
  const twoAreRunning = Promise.withResolvers<void>()
  const slow = quick('slow', {
    concurrency: 2,
    async run() {
      maxRunning = Math.max(maxRunning, ++running)
      if (running === 2) twoAreRunning.resolve()
      await twoAreRunning.promise
      // Long enough for a third job to start, if the limit allowed it.
      await new Promise((resolve) => setTimeout(resolve, 10))
      running--
      done++
    },
  })
  const jobs = await fixture.openJobs([slow])
  await jobs.startWorkers(null)
  const ids = Array.from({ length: 40 }, () => ({ id: crypto.randomUUID(), job: 'slow', data: {} }))
  await withConnection(fixture.pool, (client) => jobs.enqueue(client, ids))
  await waitUntil(() => done === 40)
  expect(maxRunning).toBe(2)
})

it('runs the jobs of a batch side by side, and settles each by its own outcome in one statement', async () => {
  const batchSize = 10
  let running = 0
  const allAreRunning = Promise.withResolvers<void>()
  const short: Job<null, { n: number }> = {
    name: 'short',
    data: z.strictObject({ n: z.number() }),
    retry: { limit: 0 },
    batchSize,
    concurrency: 1,
    async run(_, { n }) {
      if (++running === batchSize) allAreRunning.resolve()
      await allAreRunning.promise
      if (n === 3) throw new Error('only this one')
    },
  }
  const jobs = await fixture.openJobs([short])
  const requested = Array.from({ length: batchSize }, (_, n) => ({
    id: crypto.randomUUID(),
    job: 'short',
    data: { n },
  }))
  await withConnection(fixture.pool, (client) => jobs.enqueue(client, requested))
  const isSettled = async () => (await fixture.listJobs('short')).every(({ state }) => /completed|failed/.test(state))
  const statements = await listStatements(async () => {
    await jobs.startWorkers(null)
    await waitUntil(isSettled)
  })
  const states = (await fixture.listJobs('short')).map(({ data, state }) => [(data as { n: number }).n, state])
  expect(Object.fromEntries(states)).toEqual(
    Object.fromEntries(requested.map(({ data: { n } }) => [n, n === 3 ? 'failed' : 'completed'])),
  )
  expect(statements.filter((text) => text.includes('SET completed_on'))).toHaveLength(1)
})

it('aborts a running job when the instance stops, and the next instance runs it as if for the first time', async () => {
  const attempts: number[] = []
  let started = 0
  const long = quick('long', {
    retry: { limit: 0 },
    async run(_, __, { signal, attempt }) {
      attempts.push(attempt)
      started++
      if (attempts.length === 1) await new Promise((_resolve, reject) => signal.addEventListener('abort', reject))
    },
  })
  const first = await fixture.openJobs([long])
  await first.startWorkers(null)
  await first.send('long', {})
  await waitUntil(() => started === 1)
  await first.drain()
  await first.stop()
  // Only its abort signal can have ended it.
  expect(await fixture.listJobs('long')).toMatchObject([{ state: 'created', retryCount: 0 }])
  const second = await fixture.openJobs([long])
  await second.startWorkers(null)
  await waitUntil(async () => (await fixture.listJobs('long'))[0]?.state === 'completed')
  expect(attempts).toEqual([1, 1])
})

itLong('does not wait for a job that ignores its signal: it is attempted again later', async () => {
  let started = 0
  const unresponsive = quick('unresponsive', {
    async run() {
      started++
      if (started === 1) await new Promise(() => undefined)
    },
  })
  const first = await fixture.openJobs([unresponsive])
  await first.startWorkers(null)
  await first.send('unresponsive', {})
  await waitUntil(() => started === 1)
  // Both resolve although the job never ends.
  await first.drain()
  await first.stop()
  const second = await fixture.openJobs([unresponsive])
  await second.startWorkers(null)
  await waitUntil(async () => (await fixture.listJobs('unresponsive'))[0]?.state === 'completed')
  expect(started).toBe(2)
})

it('stores each schedule once in UTC, however many instances start, and removes undeclared ones', async () => {
  const nightly = quick('nightly', { schedule: '0 3 * * *' })
  const hourly = quick('hourly', { schedule: '17 * * * *' })
  const instances = await Promise.all([1, 2, 3].map(() => fixture.openJobs([nightly, hourly])))
  await Promise.all(instances.map((jobs) => jobs.startWorkers(null)))
  const schedules = async () =>
    (await fixture.pool.query('select name, cron, timezone from jobs.schedule order by name')).rows
  expect(await schedules()).toEqual([
    { name: 'hourly', cron: '17 * * * *', timezone: 'UTC' },
    { name: 'nightly', cron: '0 3 * * *', timezone: 'UTC' },
  ])
  const newer = await fixture.openJobs([{ ...nightly, schedule: '30 2 * * *' }, quick('hourly')])
  await newer.startWorkers(null)
  expect(await schedules()).toEqual([{ name: 'nightly', cron: '30 2 * * *', timezone: 'UTC' }])
})

it.runIf(isLongRun)(
  'runs a schedule once, however many instances there are',
  async () => {
    let runs = 0
    const due = quick('due', { schedule: '* * * * *', run: async () => void runs++ })
    const instances = await Promise.all([1, 2].map(() => fixture.openJobs([due])))
    await Promise.all(instances.map((jobs) => jobs.startWorkers(null)))
    // Up to a minute until the next minute begins, and half a minute until the schedules are checked.
    await waitUntil(() => runs > 0, Boolean, 200_000)
    // Any second run would have started by now: one poll of the workers.
    await waitUntil(async () => (await fixture.listJobs('due')).every(({ state }) => state === 'completed'))
    // Read first: the next minute may begin while the jobs are read.
    const runsSoFar = runs
    const minutes = (await fixture.pool.query(`select singleton_on::text as minute from jobs.job where name = 'due'`))
      .rows
    expect(new Set(minutes.map(({ minute }) => minute)).size).toBe(minutes.length)
    expect(runsSoFar).toBeLessThanOrEqual(minutes.length)
  },
  240_000,
)

it('runs the jobs with a higher priority first, however many are due at once', async () => {
  const order: number[] = []
  const numbered: Job<null, { n: number }> = {
    name: 'numbered',
    data: z.strictObject({ n: z.number() }),
    concurrency: 1,
    run: async (_, { n }) => void order.push(n),
  }
  const jobs = await fixture.openJobs([numbered])
  const numbers = [3, 1, 4, 2, 5]
  await withConnection(fixture.pool, (client) =>
    jobs.enqueue(
      client,
      numbers.map((n) => ({ id: crypto.randomUUID(), job: 'numbered', data: { n }, priority: -n })),
    ),
  )
  await jobs.startWorkers(null)
  await waitUntil(() => order.length === numbers.length)
  expect(order).toEqual([1, 2, 3, 4, 5])
})

it('finishes jobs that become due together with all its workers, although only one looks for them', async () => {
  let running = 0
  let most = 0
  const slow = quick('slow', {
    concurrency: 3,
    async run() {
      most = Math.max(most, ++running)
      await waitUntil(() => most === 3)
      running--
    },
  })
  const jobs = await fixture.openJobs([slow])
  await jobs.startWorkers(null)
  const startAfter = new Date(Date.now() + 500).toISOString()
  await withConnection(fixture.pool, (client) =>
    jobs.enqueue(
      client,
      [1, 2, 3].map(() => ({ id: crypto.randomUUID(), job: 'slow', data: {}, startAfter })),
    ),
  )
  await waitUntil(async () => (await fixture.listJobs('slow')).every(({ state }) => state === 'completed'))
  expect(most).toBe(3)
})

describe('a job that was running in a killed process', () => {
  /** Leaves a job as a killed process does: active. Its claim does not expire before the test ends. */
  const leaveActive = async (id: string, retryCount: number) => {
    const { rowCount } = await fixture.pool.query(
      `update jobs.job set state = 'active', started_on = now(), heartbeat_on = now() + interval '1 day',
         retry_count = $2 where id = $1`,
      [id, retryCount],
    )
    expect(rowCount).toBe(1)
  }

  it('is requeued at once by an exclusive instance, and the interrupted attempt counts', async () => {
    const attempts: number[] = []
    const kind = quick('left', { retry: { limit: 3 }, run: async (_, __, { attempt }) => void attempts.push(attempt) })
    const id = crypto.randomUUID()
    await (await fixture.openJobs([kind])).send('left', {}, { id })
    await leaveActive(id, 0)
    await (await fixture.openJobs([kind], { isExclusive: true })).startWorkers(null)
    await waitUntil(() => attempts.length > 0)
    expect(attempts).toEqual([2])
  })

  it('is not requeued without attempts left, so that it does not kill its process forever', async () => {
    const kind = quick('killing', { retry: { limit: 3 } })
    const id = crypto.randomUUID()
    await (await fixture.openJobs([kind])).send('killing', {}, { id })
    await leaveActive(id, 3)
    await (await fixture.openJobs([kind], { isExclusive: true })).startWorkers(null)
    expect(await fixture.listJobs('killing')).toMatchObject([{ state: 'active', retryCount: 3 }])
  })

  it('keeps its claim while other instances may be running', async () => {
    const kind = quick('shared')
    const id = crypto.randomUUID()
    await (await fixture.openJobs([kind])).send('shared', {}, { id })
    await leaveActive(id, 0)
    await (await fixture.openJobs([kind])).startWorkers(null)
    expect(await fixture.listJobs('shared')).toMatchObject([{ state: 'active', retryCount: 0 }])
  })
})
