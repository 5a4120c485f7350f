import { afterEach, beforeEach, expect, it } from 'vitest'
import { z } from 'zod'
import { runJobsCli } from '#cli/jobs-commands.ts'
import { countDeadLetters } from '#jobs/dead-letters.ts'
import type { JobEngine } from '#jobs/engine.ts'
import { NonRetryableError, type Job } from '#jobs/job.ts'
import { readStream } from '#tests/support/events.ts'
import { hurryJobs } from '#tests/support/job-delays.ts'
import { type JobsFixture, createJobsFixture } from '#tests/support/jobs-fixture.ts'
import { waitUntil } from '#tests/support/wait-until.ts'
import { itLong } from '#tests/support/long.ts'

let fixture: JobsFixture
let succeeds: boolean
let runs: { id: string; attempt: number }[]
let deadLetters: { id: string; error: string }[]

beforeEach(async () => {
  fixture = await createJobsFixture()
  succeeds = false
  runs = []
  deadLetters = []
})
afterEach(() => fixture.dispose())

class VendorError extends Error {
  readonly code = 'card_declined'
  constructor() {
    super('Ada Lovelace, born 1815-12-10, has no money')
    this.name = 'VendorError'
  }
}

const charge: Job<null, { appointmentId: string }> = {
  name: 'charge',
  data: z.strictObject({ appointmentId: z.uuid() }),
  retry: { limit: 1 },
  async run(_, __, { id, attempt }) {
    runs.push({ id, attempt })
    if (!succeeds) throw new VendorError()
  },
  async onDeadLetter(_, __, { id, error }) {
    deadLetters.push({ id, error })
    // It is retried until it succeeds.
    if (deadLetters.length === 1) throw new Error('the event store is unavailable')
  },
}
const failing: Job<null, object> = {
  name: 'failing',
  data: z.strictObject({}),
  run: async () => {
    throw new NonRetryableError('file-gone')
  },
}
const appointmentId = '0c9b8f5e-6f0a-4a39-9a8e-6c1f3f7a2b11'
const id = '7d0f3a52-9c1b-4d57-8a63-2f6e1b0c9d84'

async function startJobs(): Promise<JobEngine<null>> {
  const jobs = await fixture.openJobs([charge, failing])
  await hurryJobs(fixture.url)
  await jobs.startWorkers(null)
  return jobs
}

const hasDeadLetter = async () => (await countDeadLetters(fixture.pool)) > 0

async function call(...words: string[]) {
  const lines = { out: [] as string[], err: [] as string[] }
  const terminal = {
    out: (line: string) => void lines.out.push(line),
    err: (line: string) => void lines.err.push(line),
    bar: null,
    ask: null,
    signal: new AbortController().signal,
    account: 'operator',
  }
  const code = await runJobsCli(words, terminal, (run) => run({ store: fixture.store, pool: fixture.pool }))
  return { code, out: lines.out.join('\n'), err: lines.err.join('\n') }
}

itLong(
  'is a job without attempts left: listed with error kind, attempts and times, without personal data',
  async () => {
    const jobs = await startJobs()
    await jobs.send('charge', { appointmentId }, { id })
    await waitUntil(hasDeadLetter)
    expect(runs).toEqual([1, 2].map((attempt) => ({ id, attempt })))
    const letters = JSON.parse((await call('--json')).out)
    expect(letters).toEqual([
      {
        id,
        job: 'charge',
        data: { appointmentId },
        error: 'VendorError card_declined',
        attempts: 2,
        requestedAt: expect.stringMatching(/Z$/),
        failedAt: expect.stringMatching(/Z$/),
      },
    ])
    expect((await call()).out).toMatch(new RegExp(`^id .*\n${id}  charge  VendorError card_declined  2 `))
    const { rows } = await fixture.pool.query(`select * from jobs.job`)
    expect(JSON.stringify([rows, letters])).not.toMatch(/Lovelace|1815/)
    await waitUntil(() => deadLetters.length === 2)
    expect(deadLetters).toEqual([1, 2].map(() => ({ id, error: 'VendorError card_declined' })))
  },
)

itLong('keeps its id when an operator retries it, so that it takes effect once', async () => {
  const jobs = await startJobs()
  await jobs.send('charge', { appointmentId }, { id })
  await waitUntil(hasDeadLetter)
  succeeds = true
  expect(await call('retry', id)).toEqual({ code: 0, out: `charge ${id}: will be retried`, err: '' })
  await waitUntil(() => runs.length === 3)
  expect(runs.at(-1)).toEqual({ id, attempt: 1 })
  await waitUntil(async () => (await fixture.listJobs('charge'))[0]?.state === 'completed')
  expect(await countDeadLetters(fixture.pool)).toBe(0)
  expect(await call('retry', id)).toMatchObject({
    code: 1,
    err: `There is no dead letter ${id}: npm run jobs lists them`,
  })
})

itLong('is listed again when the retry fails', async () => {
  const jobs = await startJobs()
  await jobs.send('charge', { appointmentId }, { id })
  await waitUntil(hasDeadLetter)
  await call('retry', id)
  await waitUntil(() => runs.length === 4)
  await waitUntil(hasDeadLetter)
  expect(await countDeadLetters(fixture.pool)).toBe(1)
})

itLong('is discarded by drop, which records the operator and the reason', async () => {
  const jobs = await startJobs()
  await jobs.send('charge', { appointmentId }, { id })
  await waitUntil(hasDeadLetter)
  await waitUntil(() => deadLetters.length === 2)
  expect(await call('drop', id, '--why', 'the patient paid in cash')).toMatchObject({ code: 0 })
  expect(await call()).toMatchObject({ out: 'There are no dead letters' })
  const [event, ...more] = await readStream(fixture.store, `job-${id}`)
  expect(more).toEqual([])
  expect(event).toMatchObject({
    type: 'JobDropped',
    data: {
      jobId: id,
      job: 'charge',
      error: 'VendorError card_declined',
      attempts: 2,
      by: 'operator',
      why: 'the patient paid in cash',
    },
  })
  expect(await call('drop', id, '--why', 'again')).toMatchObject({ code: 1 })
  expect(runs).toHaveLength(2)
})

itLong('leaves the list when a later job with the same data succeeds', async () => {
  const jobs = await startJobs()
  await jobs.send('charge', { appointmentId }, { id })
  await waitUntil(hasDeadLetter)
  succeeds = true
  await jobs.send('charge', { appointmentId: crypto.randomUUID() })
  await waitUntil(() => runs.length === 3)
  expect(await countDeadLetters(fixture.pool)).toBe(1)
  await jobs.send('charge', { appointmentId })
  await waitUntil(async () => (await countDeadLetters(fixture.pool)) === 0)
})

itLong('is also a job that is not retryable, and one with invalid data, at the first attempt', async () => {
  const jobs = await startJobs()
  await jobs.send('failing', {})
  await waitUntil(hasDeadLetter)
  const raw = await fixture.openJobs([
    { ...charge, data: z.looseObject({ appointmentId: z.string() }) } as typeof charge,
  ])
  await raw.send('charge', { appointmentId: 'somewhere' })
  await waitUntil(async () => (await countDeadLetters(fixture.pool)) === 2)
  const letters = JSON.parse((await call('--json')).out) as { error: string; attempts: number }[]
  expect(letters.map(({ error, attempts }) => [error, attempts])).toEqual([
    ['NonRetryableError file-gone', 1],
    ['NonRetryableError data', 1],
  ])
  expect(runs).toEqual([])
})

it('lists nothing where Everchart was never started, and shows help', async () => {
  await fixture.pool.query('drop table app.dead_letters')
  expect(await call()).toEqual({ code: 0, out: 'There are no dead letters', err: '' })
  expect(await call('--json')).toMatchObject({ code: 0, out: '[]' })
  expect(await call('drop', id, '--why', 'x')).toMatchObject({ code: 1 })
  expect((await call('--help')).out).toMatch(/^Usage: npm run jobs /)
})
