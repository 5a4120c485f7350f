import fc from 'fast-check'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { z } from 'zod'
import { runProjectionsCli } from '#cli/projections-arguments.ts'
import type { ProjectionRunner } from '#projections/runner/runner.ts'
import type { Job } from '#jobs/job.ts'
import { deriveJobId, toProcessManagerEntry } from '#process-managers/subscription.ts'
import { type AnyProcessManager, defineProcessManager } from '#process-managers/process-manager.ts'
import { newEvent, readStream } from '#tests/support/events.ts'
import { type JobsFixture, createJobsFixture } from '#tests/support/job-house.ts'
import { waitUntil } from '#tests/support/until.ts'

type Fact = { type: 'Wanted'; data: { id: string; times: number } } | { type: 'Broken'; data: { id: string } }

const greet: Job<null, { id: string; nth: number }> = {
  name: 'greet',
  data: z.strictObject({ id: z.string(), nth: z.number() }),
  run: async () => undefined,
}
const greeter = defineProcessManager<Fact>({
  name: 'greeter',
  on: {
    Wanted: ({ data: { id, times } }) =>
      Array.from({ length: times }, (_, nth) => ({ job: greet.name, data: { id, nth } })),
    Broken: () => {
      throw new RangeError('the name of a patient')
    },
  },
})
const later = defineProcessManager<Fact>({
  name: 'later',
  on: { Wanted: ({ data: { id }, metadata }) => [{ job: greet.name, data: { id, nth: -1 }, startAfter: metadata.at }] },
})

let house: JobsFixture
beforeEach(async () => (house = await createJobsFixture()))
afterEach(() => house.dispose())

const wanted = (id: string, times = 1) => newEvent('Wanted', { id, times })
const broken = (id: string) => newEvent('Broken', { id })

async function write(...events: ReturnType<typeof newEvent>[]): Promise<string> {
  const appended = await house.store.append(`fact-${crypto.randomUUID()}`, 'no-stream', events)
  if (appended.status !== 'appended') throw new Error(appended.status)
  return appended.position
}

const putDown = async () => (await house.listJobs('greet')).map(({ data }) => (data as { id: string }).id)
const stateOf = async (feed: ProjectionRunner, name = 'greeter') =>
  (await feed.getStates()).find((one) => one.name === name)
const at = async (position: string, name = 'greeter') => {
  const { rows } = await house.pool.query('select position from read.checkpoints where name = $1', [name])
  return rows[0]?.position !== undefined && rows[0].position >= position
}

it('begins at the end of the record: what was before is not its business, what comes then is', async () => {
  await write(wanted('before'))
  const jobs = await house.openJobs([greet])
  await house.startProcessManagers([greeter], jobs)
  await write(wanted('after'), newEvent('SomethingElse'))
  await waitUntil(async () => (await putDown()).length > 0)
  expect(await putDown()).toEqual(['after'])
})

it('goes on where it was: what happened while nobody ran is reacted to, and nothing a second time', async () => {
  const jobs = await house.openJobs([greet])
  const first = await house.startProcessManagers([greeter], jobs)
  await write(wanted('one', 2))
  await waitUntil(async () => (await putDown()).length === 2)
  await first.stop()
  const last = await write(wanted('two'))
  await house.startProcessManagers([greeter], jobs)
  await waitUntil(() => at(last))
  expect((await putDown()).toSorted()).toEqual(['one', 'one', 'two'])
})

it('gives a job an id that follows from its fact, so that a step back of the database doubles nothing', async () => {
  const jobs = await house.openJobs([greet])
  const feed = await house.startProcessManagers([greeter], jobs)
  const before = await house.store.head()
  const fact = wanted('one', 2)
  await write(fact)
  await waitUntil(async () => (await putDown()).length === 2)
  expect((await house.listJobs('greet')).map(({ id }) => id).toSorted()).toEqual(
    [0, 1].map((index) => deriveJobId(fact, 'greeter', index)).toSorted(),
  )
  await feed.stop()
  await house.pool.query('update read.checkpoints set position = $1', [before])
  await house.startProcessManagers([greeter], jobs)
  const last = await write(wanted('two'))
  await waitUntil(() => at(last))
  expect((await putDown()).toSorted()).toEqual(['one', 'one', 'two'])
})

it('that fails stands still alone, says where and why without data, and goes on by a recorded decision', async () => {
  const jobs = await house.openJobs([greet])
  const feed = await house.startProcessManagers([greeter, later], jobs)
  const poison = broken('bad')
  await write(wanted('one'))
  const where = await write(poison)
  const last = await write(wanted('two'))
  await waitUntil(() => at(last, 'later'))
  await waitUntil(async () => (await stateOf(feed))?.state === 'failed')
  expect(await stateOf(feed)).toMatchObject({ kind: 'reactor', state: 'failed', lag: 2 })
  expect((await putDown()).toSorted()).toEqual(['one', 'one', 'two'])
  const { rows } = await house.pool.query(`select stopped_at, error from read.checkpoints where name = 'greeter'`)
  expect(rows).toEqual([{ stopped_at: where, error: 'Broken: RangeError' }])

  const listed = await call('list', '--json')
  expect(JSON.parse(listed.out)).toMatchObject([{ name: 'greeter', kind: 'reactor', rows: null, stoppedAt: where }])
  expect((await call('list')).out).toMatch(/greeter +1 +failed .* - .*stands still at \S+ \(Broken: RangeError\)/)
  expect(await call('retry', 'greeter')).toMatchObject({ code: 1, err: expect.stringContaining('stands still again') })
  const skipped = await call('skip', 'greeter', '--position', where, '--why', 'a bug that is mended')
  expect(skipped).toMatchObject({ code: 0, out: expect.stringContaining('greeter: runs again') })
  await waitUntil(() => at(last))
  expect((await putDown()).toSorted()).toEqual(['one', 'one', 'two', 'two'])
  const [decided] = await readStream(house.store, 'projection-greeter')
  expect(decided?.data).toMatchObject({ eventId: poison.id, by: 'operator', why: 'a bug that is mended' })
})

it('has no rows: nothing to rebuild, to verify or to go back to', async () => {
  for (const word of ['rebuild', 'verify', 'swap-back'])
    expect(await call(word, 'greeter')).toEqual({
      code: 2,
      out: '',
      err: `greeter turns facts into jobs: there is nothing to ${word}`,
    })
})

it('stands still at a job that nobody declares, or whose data is wrong, and puts nothing of that fact down', async () => {
  const asksForMore = (name: string, job: string, data: object) =>
    defineProcessManager<Fact>({
      name,
      on: {
        Wanted: () => [
          { job: greet.name, data: { id: name, nth: 0 } },
          { job, data },
        ],
      },
    })
  const jobs = await house.openJobs([greet])
  const feed = await house.startProcessManagers(
    [asksForMore('unknown', 'nobody', {}), asksForMore('wrong', 'greet', { id: 'x', nth: 'first' }), greeter],
    jobs,
  )
  const last = await write(wanted('one'))
  await waitUntil(() => at(last))
  await waitUntil(async () => (await feed.getStates()).filter(({ state }) => state === 'failed').length === 2)
  expect(await putDown()).toEqual(['one'])
})

it('goes on at the end of a record that was put back from a backup', async () => {
  const jobs = await house.openJobs([greet])
  const feed = await house.startProcessManagers([greeter], jobs)
  const last = await write(wanted('one'))
  await waitUntil(() => at(last))
  await feed.stop()
  // As after a restore into a database that knew more: the checkpoint is after the end of the record.
  await house.pool.query(`update read.checkpoints set position = 'pg-0000000000000000900', state = 'running'`)
  await house.startProcessManagers([greeter], jobs)
  expect(await at(last)).toBe(true)
  const next = await write(wanted('two'))
  await waitUntil(() => at(next))
  expect((await putDown()).toSorted()).toEqual(['one', 'two'])
})

it('puts every job down exactly once, whatever the batches, however often and wherever its copies are stopped', async () => {
  const jobs = await house.openJobs([greet])
  await (await house.startProcessManagers([greeter], jobs)).stop()
  const batch = fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 20 })
  const step = fc.record({ batch, copies: fc.integer({ min: 0, max: 2 }), waits: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 5 }), async (steps) => {
      const expected: string[] = []
      const already = new Set((await house.listJobs('greet')).map(({ id }) => id))
      let copies: ProjectionRunner[] = []
      for (const { batch: times, copies: count, waits } of steps) {
        while (copies.length < count) copies.push(await house.startProcessManagers([greeter], jobs))
        const facts = times.map((n) => wanted(crypto.randomUUID(), n))
        const writing = write(...facts)
        // Stopped in the middle, perhaps before anything was seen, perhaps after.
        if (!waits) await Promise.all(copies.splice(0).map((feed) => feed.stop()))
        await writing
        expected.push(
          ...facts.flatMap((fact, index) =>
            Array.from({ length: times[index] ?? 0 }, (_, n) => deriveJobId(fact, 'greeter', n)),
          ),
        )
      }
      await Promise.all(copies.splice(0).map((feed) => feed.stop()))
      copies = [await house.startProcessManagers([greeter], jobs)]
      const head = (await house.store.head()) as string
      await waitUntil(() => at(head))
      await copies[0]?.stop()
      const found = (await house.listJobs('greet')).map(({ id }) => id).filter((id) => !already.has(id))
      expect(found.toSorted()).toEqual(expected.toSorted())
    }),
    { numRuns: 40 },
  )
}, 120_000)

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
  const known = ([greeter] as AnyProcessManager[]).map(toProcessManagerEntry)
  const code = await runProjectionsCli(words, known, terminal, (run) => run({ store: house.store, pool: house.pool }))
  return { code, out: lines.out.join('\n'), err: lines.err.join('\n') }
}
