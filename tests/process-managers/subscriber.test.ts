import fc from 'fast-check'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { z } from 'zod'
import { runProjectionsCli } from '#cli/projections-command-line.ts'
import type { ProjectionRunner } from '#projections/runner/runner.ts'
import type { Job } from '#jobs/job.ts'
import { deriveJobId, toProcessManagerEntry } from '#process-managers/subscriber.ts'
import { type AnyProcessManager, defineProcessManager } from '#process-managers/process-manager.ts'
import { newEvent, readStream } from '#tests/support/events.ts'
import { type JobsFixture, createJobsFixture } from '#tests/support/jobs-fixture.ts'
import { waitUntil } from '#tests/support/wait-until.ts'
import { itLong, cases } from '#tests/support/long.ts'

type TestEvent = { type: 'Wanted'; data: { id: string; times: number } } | { type: 'Broken'; data: { id: string } }

const greet: Job<null, { id: string; nth: number }> = {
  name: 'greet',
  data: z.strictObject({ id: z.string(), nth: z.number() }),
  run: async () => undefined,
}
const greeter = defineProcessManager<TestEvent>({
  name: 'greeter',
  on: {
    Wanted: ({ data: { id, times } }) =>
      Array.from({ length: times }, (_, nth) => ({ job: greet.name, data: { id, nth } })),
    Broken: () => {
      throw new RangeError('the name of a patient')
    },
  },
})
const later = defineProcessManager<TestEvent>({
  name: 'later',
  on: { Wanted: ({ data: { id }, metadata }) => [{ job: greet.name, data: { id, nth: -1 }, startAfter: metadata.at }] },
})

let fixture: JobsFixture
beforeEach(async () => (fixture = await createJobsFixture()))
afterEach(() => fixture.dispose())

const wanted = (id: string, times = 1) => newEvent('Wanted', { id, times })
const broken = (id: string) => newEvent('Broken', { id })

async function write(...events: ReturnType<typeof newEvent>[]): Promise<string> {
  const appended = await fixture.store.append(`event-${crypto.randomUUID()}`, 'no-stream', events)
  if (appended.status !== 'appended') throw new Error(appended.status)
  return appended.position
}

const listGreeted = async () => (await fixture.listJobs('greet')).map(({ data }) => (data as { id: string }).id)
const findState = async (runner: ProjectionRunner, name = 'greeter') =>
  (await runner.getStates()).find((one) => one.name === name)
const hasReached = async (position: string, name = 'greeter') => {
  const { rows } = await fixture.pool.query('select position from read.checkpoints where name = $1', [name])
  return rows[0]?.position !== undefined && rows[0].position >= position
}

itLong('starts at the end of the event store: earlier events are not processed, later ones are', async () => {
  await write(wanted('before'))
  const jobs = await fixture.openJobs([greet])
  await fixture.startProcessManagers([greeter], jobs)
  await write(wanted('after'), newEvent('SomethingElse'))
  await waitUntil(async () => (await listGreeted()).length > 0)
  expect(await listGreeted()).toEqual(['after'])
})

it('resumes at its checkpoint: events from while no instance ran are processed, and none twice', async () => {
  const jobs = await fixture.openJobs([greet])
  const first = await fixture.startProcessManagers([greeter], jobs)
  await write(wanted('one', 2))
  await waitUntil(async () => (await listGreeted()).length === 2)
  await first.stop()
  const last = await write(wanted('two'))
  await fixture.startProcessManagers([greeter], jobs)
  await waitUntil(() => hasReached(last))
  expect((await listGreeted()).toSorted()).toEqual(['one', 'one', 'two'])
})

it('derives job ids from events, so that no job is doubled when the database loses commits', async () => {
  const jobs = await fixture.openJobs([greet])
  const runner = await fixture.startProcessManagers([greeter], jobs)
  const before = await fixture.store.head()
  const event = wanted('one', 2)
  await write(event)
  await waitUntil(async () => (await listGreeted()).length === 2)
  expect((await fixture.listJobs('greet')).map(({ id }) => id).toSorted()).toEqual(
    [0, 1].map((index) => deriveJobId(event, 'greeter', index)).toSorted(),
  )
  await runner.stop()
  await fixture.pool.query('update read.checkpoints set position = $1', [before])
  await fixture.startProcessManagers([greeter], jobs)
  const last = await write(wanted('two'))
  await waitUntil(() => hasReached(last))
  expect((await listGreeted()).toSorted()).toEqual(['one', 'one', 'two'])
})

itLong('fails alone, reports position and reason without data, and continues after a recorded decision', async () => {
  const jobs = await fixture.openJobs([greet])
  const runner = await fixture.startProcessManagers([greeter, later], jobs)
  const poison = broken('bad')
  await write(wanted('one'))
  const failedPosition = await write(poison)
  const last = await write(wanted('two'))
  await waitUntil(() => hasReached(last, 'later'))
  await waitUntil(async () => (await findState(runner))?.state === 'failed')
  expect(await findState(runner)).toMatchObject({ kind: 'process-manager', state: 'failed', lag: 2 })
  expect((await listGreeted()).toSorted()).toEqual(['one', 'one', 'two'])
  const { rows } = await fixture.pool.query(
    `select failed_at_position, error from read.checkpoints where name = 'greeter'`,
  )
  expect(rows).toEqual([{ failed_at_position: failedPosition, error: 'Broken: RangeError' }])

  const listed = await call('list', '--json')
  expect(JSON.parse(listed.out)).toMatchObject([
    { name: 'greeter', kind: 'process-manager', rows: null, failedPosition },
  ])
  expect((await call('list')).out).toMatch(/greeter +1 +failed .* - .*failed at \S+ \(Broken: RangeError\)/)
  expect(await call('retry', 'greeter')).toMatchObject({
    code: 1,
    err: 'greeter: failed again; the list command shows where',
  })
  const skipped = await call('skip', 'greeter', '--position', failedPosition, '--why', 'a bug that is fixed')
  expect(skipped).toMatchObject({ code: 0, out: expect.stringContaining('greeter: running again') })
  await waitUntil(() => hasReached(last))
  expect((await listGreeted()).toSorted()).toEqual(['one', 'one', 'two', 'two'])
  const [decision] = await readStream(fixture.store, 'projection-greeter')
  expect(decision?.data).toMatchObject({ eventId: poison.id, by: 'operator', why: 'a bug that is fixed' })
})

it('has no table to rebuild, verify or swap back', async () => {
  for (const word of ['rebuild', 'verify', 'swap-back'])
    expect(await call(word, 'greeter')).toEqual({
      code: 2,
      out: '',
      err: `greeter is a process manager and has no rows to ${word}: npm run projections -- --help prints the usage`,
    })
})

it('fails at a job that no module declares or whose data is invalid, and enqueues no job of that event', async () => {
  const createFailing = (name: string, job: string, data: object) =>
    defineProcessManager<TestEvent>({
      name,
      on: {
        Wanted: () => [
          { job: greet.name, data: { id: name, nth: 0 } },
          { job, data },
        ],
      },
    })
  const jobs = await fixture.openJobs([greet])
  const runner = await fixture.startProcessManagers(
    [createFailing('unknown', 'undeclared', {}), createFailing('wrong', 'greet', { id: 'x', nth: 'first' }), greeter],
    jobs,
  )
  const last = await write(wanted('one'))
  await waitUntil(() => hasReached(last))
  await waitUntil(async () => (await runner.getStates()).filter(({ state }) => state === 'failed').length === 2)
  expect(await listGreeted()).toEqual(['one'])
})

itLong('continues at the end of an event store that was restored from a backup', async () => {
  const jobs = await fixture.openJobs([greet])
  const runner = await fixture.startProcessManagers([greeter], jobs)
  const last = await write(wanted('one'))
  await waitUntil(() => hasReached(last))
  await runner.stop()
  // As after a restore of the events alone: the checkpoint is beyond the end.
  await fixture.pool.query(`update read.checkpoints set position = 'pg-0000000000000000900', state = 'running'`)
  await fixture.startProcessManagers([greeter], jobs)
  expect(await hasReached(last)).toBe(true)
  const next = await write(wanted('two'))
  await waitUntil(() => hasReached(next))
  expect((await listGreeted()).toSorted()).toEqual(['one', 'two'])
})

it('enqueues every job exactly once, whatever the batches and whenever its instances are stopped', async () => {
  const jobs = await fixture.openJobs([greet])
  await (await fixture.startProcessManagers([greeter], jobs)).stop()
  const batch = fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 20 })
  const step = fc.record({ batch, instances: fc.integer({ min: 0, max: 2 }), waits: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 5 }), async (steps) => {
      const expected: string[] = []
      const earlier = new Set((await fixture.listJobs('greet')).map(({ id }) => id))
      let instances: ProjectionRunner[] = []
      for (const { batch: times, instances: count, waits } of steps) {
        while (instances.length < count) instances.push(await fixture.startProcessManagers([greeter], jobs))
        const events = times.map((n) => wanted(crypto.randomUUID(), n))
        const writing = write(...events)
        // Stopped at any point, before or after some events are processed.
        if (!waits) await Promise.all(instances.splice(0).map((runner) => runner.stop()))
        await writing
        expected.push(
          ...events.flatMap((event, index) =>
            Array.from({ length: times[index] ?? 0 }, (_, n) => deriveJobId(event, 'greeter', n)),
          ),
        )
      }
      await Promise.all(instances.splice(0).map((runner) => runner.stop()))
      instances = [await fixture.startProcessManagers([greeter], jobs)]
      const head = (await fixture.store.head()) as string
      await waitUntil(() => hasReached(head))
      await instances[0]?.stop()
      const found = (await fixture.listJobs('greet')).map(({ id }) => id).filter((id) => !earlier.has(id))
      expect(found.toSorted()).toEqual(expected.toSorted())
    }),
    { numRuns: cases(15, 200) },
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
  const code = await runProjectionsCli(words, known, terminal, (run) =>
    run({ store: fixture.store, pool: fixture.pool }),
  )
  return { code, out: lines.out.join('\n'), err: lines.err.join('\n') }
}
