import { afterEach, beforeEach, expect, it } from 'vitest'
import { z } from 'zod'
import { runJobsCli } from '#cli/jobs-commands.ts'
import { countDeadLetters } from '#jobs/dead-letters.ts'
import type { JobEngine } from '#jobs/engine.ts'
import { NonRetryableError, type Job } from '#jobs/job.ts'
import { readStream } from '#tests/support/events.ts'
import { type JobsFixture, createJobsFixture } from '#tests/support/job-house.ts'
import { waitUntil } from '#tests/support/until.ts'

let house: JobsFixture
let works: boolean
let runs: { id: string; attempt: number }[]
let told: { id: string; error: string }[]

beforeEach(async () => {
  house = await createJobsFixture()
  works = false
  runs = []
  told = []
})
afterEach(() => house.dispose())

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
    if (!works) throw new VendorError()
  },
  async onDeadLetter(_, __, { id, error }) {
    told.push({ id, error })
    // Whatever follows from it is tried until it succeeds.
    if (told.length === 1) throw new Error('the store is away')
  },
}
const hopeless: Job<null, object> = {
  name: 'hopeless',
  data: z.strictObject({}),
  run: async () => {
    throw new NonRetryableError('file-gone')
  },
}
const appointmentId = '0c9b8f5e-6f0a-4a39-9a8e-6c1f3f7a2b11'
const id = '7d0f3a52-9c1b-4d57-8a63-2f6e1b0c9d84'

async function working(): Promise<JobEngine<null>> {
  const jobs = await house.openJobs([charge, hopeless])
  await jobs.startWorkers(null)
  return jobs
}

const isGivenUp = async () => (await countDeadLetters(house.pool)) > 0

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
  const code = await runJobsCli(words, terminal, (run) => run({ store: house.store, pool: house.pool }))
  return { code, out: lines.out.join('\n'), err: lines.err.join('\n') }
}

it('is a job that is out of tries: on the list with kind, tries and when, without a word of what it was about', async () => {
  const jobs = await working()
  await jobs.send('charge', { appointmentId }, { id })
  await waitUntil(isGivenUp)
  expect(runs).toEqual([1, 2].map((attempt) => ({ id, attempt })))
  const letters = JSON.parse((await call('--json')).out)
  expect(letters).toEqual([
    {
      id,
      job: 'charge',
      data: { appointmentId },
      error: 'VendorError card_declined',
      attempts: 2,
      askedAt: expect.stringMatching(/Z$/),
      givenUpAt: expect.stringMatching(/Z$/),
    },
  ])
  expect((await call()).out).toMatch(new RegExp(`^id .*\n${id}  charge  VendorError card_declined  2 `))
  const { rows } = await house.pool.query(`select * from jobs.job`)
  expect(JSON.stringify([rows, letters])).not.toMatch(/Lovelace|1815/)
  await waitUntil(() => told.length === 2)
  expect(told).toEqual([1, 2].map(() => ({ id, error: 'VendorError card_declined' })))
})

it('tried again by an operator, keeps its id, so that its effect stays one', async () => {
  const jobs = await working()
  await jobs.send('charge', { appointmentId }, { id })
  await waitUntil(isGivenUp)
  works = true
  expect(await call('retry', id)).toEqual({ code: 0, out: `charge ${id}: will be tried again`, err: '' })
  await waitUntil(() => runs.length === 3)
  expect(runs.at(-1)).toEqual({ id, attempt: 1 })
  await waitUntil(async () => (await house.listJobs('charge'))[0]?.state === 'completed')
  expect(await countDeadLetters(house.pool)).toBe(0)
  expect(await call('retry', id)).toMatchObject({ code: 1, err: `No job ${id} was given up: npm run jobs lists them` })
})

it('tried again in vain, is on the list again', async () => {
  const jobs = await working()
  await jobs.send('charge', { appointmentId }, { id })
  await waitUntil(isGivenUp)
  await call('retry', id)
  await waitUntil(() => runs.length === 4)
  await waitUntil(isGivenUp)
  expect(await countDeadLetters(house.pool)).toBe(1)
})

it('dropped, is left undone, and the record says by whom and why', async () => {
  const jobs = await working()
  await jobs.send('charge', { appointmentId }, { id })
  await waitUntil(isGivenUp)
  await waitUntil(() => told.length === 2)
  expect(await call('drop', id, '--why', 'the patient paid in cash')).toMatchObject({ code: 0 })
  expect(await call()).toMatchObject({ out: 'No job was given up' })
  const [event, ...more] = await readStream(house.store, `job-${id}`)
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

it('leaves the list when the same has been done since', async () => {
  const jobs = await working()
  await jobs.send('charge', { appointmentId }, { id })
  await waitUntil(isGivenUp)
  works = true
  await jobs.send('charge', { appointmentId: crypto.randomUUID() })
  await waitUntil(() => runs.length === 3)
  expect(await countDeadLetters(house.pool)).toBe(1)
  await jobs.send('charge', { appointmentId })
  await waitUntil(async () => (await countDeadLetters(house.pool)) === 0)
})

it('is also a job that can never succeed, at its first try, and one whose data no version of ours has written', async () => {
  const jobs = await working()
  await jobs.send('hopeless', {})
  await waitUntil(isGivenUp)
  const raw = await house.openJobs([{ ...charge, data: z.looseObject({ appointmentId: z.string() }) } as typeof charge])
  await raw.send('charge', { appointmentId: 'somewhere' })
  await waitUntil(async () => (await countDeadLetters(house.pool)) === 2)
  const letters = JSON.parse((await call('--json')).out) as { error: string; attempts: number }[]
  expect(letters.map(({ error, attempts }) => [error, attempts])).toEqual([
    ['Hopeless file-gone', 1],
    ['Hopeless data', 1],
  ])
  expect(runs).toEqual([])
})

it.each([
  [['retry'], 'retry takes one id'],
  [['retry', 'x'], 'x is not the id of a job'],
  [['retry', id, id], 'retry takes one id'],
  [['list', id], 'list takes no id'],
  [['drop', id], 'drop needs --why'],
  [['drop', id, '--why', ' '], 'drop needs --why'],
  [['retry', id, '--json'], 'retry knows no --json'],
  [['forget'], 'There is no command forget'],
  [['--nonsense'], "Unknown option '--nonsense'"],
])('%j is refused in one line', async (words, line) => {
  const { code, out, err } = await call(...words)
  expect([code, out]).toEqual([2, ''])
  expect(err).toContain(line)
  expect(err).not.toContain('\n')
})

it('is listed as nothing where Everchart was never started, and explained with --help', async () => {
  await house.pool.query('drop table app.dead_letters')
  expect(await call()).toEqual({ code: 0, out: 'No job was given up', err: '' })
  expect(await call('--json')).toMatchObject({ code: 0, out: '[]' })
  expect(await call('drop', id, '--why', 'x')).toMatchObject({ code: 1 })
  expect((await call('--help')).out).toMatch(/^npm run jobs /)
})
