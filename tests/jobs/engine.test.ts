import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Job } from '#jobs/job.ts'
import { loadBillingSandbox } from '#main/configure-modules.ts'
import { modules } from '#main/modules.ts'
import { withConnection } from '#database/pool.ts'
import { type JobsFixture, createJobsFixture, waitUntil } from '#tests/support/job-house.ts'

let house: JobsFixture
beforeEach(async () => (house = await createJobsFixture()))
afterEach(() => house.dispose())

const nothing = z.strictObject({})
const quick = (name: string, over: Partial<Job<null, object>> = {}): Job<null, object> => ({
  name,
  data: nothing,
  run: async () => undefined,
  ...over,
})

it('tries again with growing pauses that differ', async () => {
  const began: number[] = []
  const failing = quick('failing', {
    retry: { limit: 2 },
    async run() {
      began.push(Date.now())
      throw new Error('not yet')
    },
  })
  const jobs = await house.openJobs([failing])
  await jobs.startWorkers(null)
  await jobs.send('failing', {})
  // Between the first try and the second.
  await waitUntil(async () => (await house.listJobs('failing'))[0]?.state === 'retry')
  const { rows } = await house.pool.query<{ pause: number }>(
    `select extract(epoch from start_after - started_on)::float8 as pause from jobs.job where name = 'failing'`,
  )
  // The pause before the second try: from 1 to 2 seconds, by chance.
  expect(rows[0]?.pause).toBeGreaterThan(0.9)
  await waitUntil(async () => (await house.listJobs('failing'))[0]?.state === 'failed')
  expect(began).toHaveLength(3)
})

it('starts a job at once, and one that was put off not before its time', async () => {
  const started: string[] = []
  const named: Job<null, { n: string }> = {
    name: 'named',
    data: z.strictObject({ n: z.string() }),
    run: async (_, { n }) => void started.push(n),
  }
  const jobs = await house.openJobs([named])
  await jobs.startWorkers(null)
  await jobs.send('named', { n: 'later' }, { delaySeconds: 1 })
  await jobs.send('named', { n: 'now' })
  await waitUntil(() => started.length === 2)
  expect(started).toEqual(['now', 'later'])
})

it('puts a job with an id down once, and none that nobody declares or whose data is wrong', async () => {
  const jobs = await house.openJobs([quick('known')])
  const id = crypto.randomUUID()
  await jobs.send('known', {}, { id })
  await jobs.send('known', {}, { id })
  await expect(jobs.send('unknown', {})).rejects.toThrow('No module declares a job unknown')
  await expect(jobs.send('known', { name: 'Ada' })).rejects.toThrow(z.ZodError)
  expect(await house.listJobs('known')).toHaveLength(1)
})

it('runs no more at once than its concurrency, and goes on with the rest', async () => {
  let now = 0
  let most = 0
  let done = 0
  const slow = quick('slow', {
    concurrency: 2,
    async run() {
      most = Math.max(most, ++now)
      await new Promise((resolve) => setTimeout(resolve, 10))
      now--
      done++
    },
  })
  const jobs = await house.openJobs([slow])
  await jobs.startWorkers(null)
  const ids = Array.from({ length: 40 }, () => ({ id: crypto.randomUUID(), job: 'slow', data: {} }))
  await withConnection(house.pool, (client) => jobs.enqueue(client, ids))
  await waitUntil(() => done === 40)
  expect(most).toBe(2)
})

it('tells a running job to end when the copy stops, and the next copy takes it as if it had not been tried', async () => {
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
  const first = await house.openJobs([long])
  await first.startWorkers(null)
  await first.send('long', {})
  await waitUntil(() => started === 1)
  const began = Date.now()
  await first.drain()
  await first.stop()
  expect(Date.now() - began).toBeLessThan(4_000)
  expect(await house.listJobs('long')).toMatchObject([{ state: 'created', retryCount: 0 }])
  const second = await house.openJobs([long])
  await second.startWorkers(null)
  await waitUntil(async () => (await house.listJobs('long'))[0]?.state === 'completed')
  expect(attempts).toEqual([1, 1])
})

it('waits for no job that does not listen: it is tried again later', async () => {
  let started = 0
  const deaf = quick('deaf', {
    async run() {
      started++
      if (started === 1) await new Promise(() => undefined)
    },
  })
  const first = await house.openJobs([deaf])
  await first.startWorkers(null)
  await first.send('deaf', {})
  await waitUntil(() => started === 1)
  const began = Date.now()
  await first.drain()
  await first.stop()
  expect(Date.now() - began).toBeLessThan(5_000)
  const second = await house.openJobs([deaf])
  await second.startWorkers(null)
  await waitUntil(async () => (await house.listJobs('deaf'))[0]?.state === 'completed')
  expect(started).toBe(2)
})

it('has each schedule once however many copies start, in UTC, and none the code no longer has', async () => {
  const nightly = quick('nightly', { schedule: '0 3 * * *' })
  const hourly = quick('hourly', { schedule: '17 * * * *' })
  const copies = await Promise.all([1, 2, 3].map(() => house.openJobs([nightly, hourly])))
  await Promise.all(copies.map((jobs) => jobs.startWorkers(null)))
  const schedules = async () =>
    (await house.pool.query('select name, cron, timezone from jobs.schedule order by name')).rows
  expect(await schedules()).toEqual([
    { name: 'hourly', cron: '17 * * * *', timezone: 'UTC' },
    { name: 'nightly', cron: '0 3 * * *', timezone: 'UTC' },
  ])
  const newer = await house.openJobs([{ ...nightly, schedule: '30 2 * * *' }, quick('hourly')])
  await newer.startWorkers(null)
  expect(await schedules()).toEqual([{ name: 'nightly', cron: '30 2 * * *', timezone: 'UTC' }])
})

it('runs what is due once, however many copies there are', async () => {
  let runs = 0
  const due = quick('due', { schedule: '* * * * *', run: async () => void runs++ })
  const copies = await Promise.all([1, 2].map(() => house.openJobs([due])))
  await Promise.all(copies.map((jobs) => jobs.startWorkers(null)))
  await waitUntil(() => runs > 0, 100_000)
  // Whoever else took it for due would have begun by now: one look of the workers.
  await waitUntil(async () => (await house.listJobs('due')).every(({ state }) => state === 'completed'))
  const minutes = (await house.pool.query(`select singleton_on::text as minute from jobs.job where name = 'due'`)).rows
  expect(new Set(minutes.map(({ minute }) => minute)).size).toBe(minutes.length)
  expect(runs).toBeLessThanOrEqual(minutes.length)
}, 120_000)

/** Every field of a payload, with what may stand in it. */
function fieldsOf(schema: unknown, path: string): [path: string, schema: Record<string, unknown>][] {
  const { properties = {}, items, anyOf = [], oneOf = [], ...rest } = schema as Record<string, never>
  const inside = [
    ...Object.entries(properties as Record<string, unknown>).map(
      ([name, field]) => [`${path}.${name}`, field] as const,
    ),
    ...(items ? [[`${path}[]`, items] as const] : []),
    ...[...(anyOf as unknown[]), ...(oneOf as unknown[])].map((option) => [path, option] as const),
  ]
  return inside.length > 0 ? inside.flatMap(([at, field]) => fieldsOf(field, at)) : [[path, rest]]
}

const sandbox = await loadBillingSandbox('on')
const installed = sandbox ? [...modules, sandbox.module] : modules

it.each(installed.flatMap(({ jobs = [] }) => jobs).map((job) => [job.name, job] as const))(
  '%s carries ids, dates, numbers and fixed words, and no text in which a patient could be named',
  (name, { data }) => {
    for (const [path, field] of fieldsOf(z.toJSONSchema(data, { io: 'input' }), name)) {
      const isFree = field['type'] === 'string' && !('format' in field || 'enum' in field || 'const' in field)
      expect([path, isFree]).toEqual([path, false])
    }
  },
)

describe('a job under way in a process that was killed', () => {
  /** As a process leaves it that had no time to say anything: claimed a moment ago. */
  const leave = async (id: string, tries: number) => {
    const { rowCount } = await house.pool.query(
      `update jobs.job set state = 'active', started_on = now(), heartbeat_on = now(), retry_count = $2 where id = $1`,
      [id, tries],
    )
    expect(rowCount).toBe(1)
  }

  it('is taken up at once by the only one who can be at work, and the try that broke off counts', async () => {
    const tries: number[] = []
    const kind = quick('left', { retry: { limit: 3 }, run: async (_, __, { attempt }) => void tries.push(attempt) })
    const id = crypto.randomUUID()
    await (await house.openJobs([kind])).send('left', {}, { id })
    await leave(id, 0)
    const began = Date.now()
    await (await house.openJobs([kind], { alone: true })).startWorkers(null)
    await waitUntil(() => tries.length > 0)
    expect(tries).toEqual([2])
    // Long before its claim would have been taken from whoever has it.
    expect(Date.now() - began).toBeLessThan(10_000)
  })

  it('is not tried for ever: the one that keeps killing its process is left to those who give up', async () => {
    const kind = quick('killing', { retry: { limit: 3 } })
    const id = crypto.randomUUID()
    await (await house.openJobs([kind])).send('killing', {}, { id })
    await leave(id, 3)
    await (await house.openJobs([kind], { alone: true })).startWorkers(null)
    expect(await house.listJobs('killing')).toMatchObject([{ state: 'active', retryCount: 3 }])
  })

  it('is left to its claim where other copies may be at work', async () => {
    const kind = quick('shared')
    const id = crypto.randomUUID()
    await (await house.openJobs([kind])).send('shared', {}, { id })
    await leave(id, 0)
    await (await house.openJobs([kind])).startWorkers(null)
    expect(await house.listJobs('shared')).toMatchObject([{ state: 'active', retryCount: 0 }])
  })
})
