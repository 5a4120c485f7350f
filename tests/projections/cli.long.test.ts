import { pino } from 'pino'
import type { Pool } from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { NewEvent } from '#eventstore/event.ts'
import { type PostgresStore, openPostgresStore } from '#eventstore/postgres/store.ts'
import { runProjectionsCli } from '#cli/projections-command-line.ts'
import { createProjectionRunner, type ProjectionRunner } from '#projections/runner/runner.ts'
import type { AnyProjection } from '#projections/projection.ts'
import type { ProjectionStatus } from '#projections/status.ts'
import type { Terminal } from '#cli/terminal.ts'
import { endlessTimeouts } from '#tests/support/endless-timeouts.ts'
import { newEvent, readStream } from '#tests/support/events.ts'
import { createTestDatabase, type TestDatabase, openTestPool } from '#tests/support/test-database.ts'
import {
  appointmentBooked,
  appointmentMoved,
  validAppointments,
  tags,
  appointments,
} from '#tests/support/appointments.ts'

let database: TestDatabase
let pool: Pool
let store: PostgresStore
let runners: ProjectionRunner[]

beforeEach(async () => {
  database = await createTestDatabase()
  pool = openTestPool(database.url, 20)
  store = await openPostgresStore(pool)
  runners = []
})
afterEach(async () => {
  for (const runner of runners) await runner.stop()
  await store.close()
  await pool.end()
  await database.drop()
})

async function startRunner(projections: readonly AnyProjection[] = [appointments, tags]): Promise<ProjectionRunner> {
  const runner = createProjectionRunner({
    store,
    pool,
    projections,
    logger: pino({ level: 'silent' }),
    catchUpTimeoutMs: endlessTimeouts.catchUpMs,
  })
  runners.push(runner)
  await runner.start()
  return runner
}

async function write(...events: NewEvent[]): Promise<string> {
  const appended = await store.append(`appointment-${crypto.randomUUID()}`, 'no-stream', events)
  if (appended.status !== 'appended') throw new Error(appended.status)
  return appended.position
}

/** Runs `npm run projections -- …` and returns its output and exit code. */
async function call(line: string, over: Partial<Terminal> & { projections?: readonly AnyProjection[] } = {}) {
  const [out, err]: string[][] = [[], []]
  const { projections = [appointments, tags], ...rest } = over
  const terminal: Terminal = {
    out: (text) => void out?.push(text),
    err: (text) => void err?.push(text),
    bar: null,
    ask: null,
    signal: new AbortController().signal,
    account: 'operator',
    ...rest,
  }
  const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
  const code = await runProjectionsCli(words, projections, terminal, (run) => run({ store, pool }))
  return { code, out: out ?? [], err: err ?? [] }
}

describe('npm run projections', () => {
  it('lists the state of every projection', async () => {
    await write(appointmentBooked('a', { tags: ['x', 'y'] }))
    const head = await write(appointmentMoved('a'))
    await (await startRunner()).stop()
    const json = JSON.parse((await call('--json')).out.join('\n')) as { name: string }[]
    expect(json).toMatchObject([
      { name: 'appointments', version: 1, codeVersion: 1, state: 'running', position: head, head, lag: 0, rows: 1 },
      { name: 'tags', version: 1, state: 'running', position: head, lag: 0, rows: 2, next: null, previous: null },
    ])
    await write(appointmentBooked('b'))
    const { out, code } = await call('list', { projections: [appointments, { ...tags, version: 2 }] })
    expect(code).toBe(0)
    expect(out[0]).toMatch(/^name +version +state +position +head +lag +rows +since$/)
    expect(out[1]).toMatch(/^appointments +1 +running +pg-\S+2 +pg-\S+3 +1 +1 +20\S+Z$/)
    expect(out[2]).toMatch(/^tags .*the code has version 2$/)
  })

  it('rebuilds one or all, and shows progress', async () => {
    await write(appointmentBooked('a'), appointmentMoved('a'))
    await startRunner()
    await pool.query('update read.appointments set moves = 9; update read.tags set n = 9')
    const bars: (string | null)[] = []
    const one = await call('rebuild appointments', { bar: (line) => bars.push(line) })
    expect(one).toMatchObject({ code: 0, out: [expect.stringMatching(/^appointments: done, 2 events in \d+\.\d s$/)] })
    expect(bars[0]).toMatch(/^appointments {2}folding {2}\[[#.]{24}\] +\d+ % {2}2 events {2}[\d,]+ events\/s/)
    expect(bars.at(-1)).toBeNull()
    expect((await call('verify appointments')).code).toBe(0)
    expect((await call('verify tags')).code).toBe(1)
    expect((await call('rebuild --all')).out).toHaveLength(2)
    expect((await call('verify --all')).code).toBe(0)
  })

  it('shows what would change, and does nothing unless the operator confirms', async () => {
    await write(appointmentBooked('a'), appointmentBooked('b'))
    await startRunner()
    await pool.query(
      `update read.appointments set moves = 9 where id = 'a'; delete from read.appointments where id = 'b'`,
    )
    const shown = ['  a  differs in moves', '  b  is missing', 'appointments: 2 rows would change']
    const asked: string[] = []
    const answer = (yes: boolean) => async (question: string) => asked.push(question) > 0 && yes
    const refused = await call('rebuild appointments --diff', { ask: answer(false) })
    expect(refused.code).toBe(1)
    expect(refused.out.toSorted()).toEqual(shown)
    expect(await call('rebuild appointments --diff')).toMatchObject({
      code: 1,
      err: [/Cannot ask/, /nothing/].map((text) => expect.stringMatching(text)),
    })
    expect((await call('rebuild appointments --prepare')).out.at(-1)).toMatch(/the new table is ready/)
    expect((await call('list')).out[1]).toMatch(/a rebuild to version 1 has started$/)
    expect((await call('verify appointments')).code).toBe(1)
    const revealed = await call('rebuild appointments --diff --reveal', { ask: answer(true) })
    expect(revealed.code).toBe(0)
    expect(revealed.out).toContain('    moves: is 9, should be 0')
    // Keys that are not ids are left out of the record.
    const { events } = await store.readAll(null, { limit: 100, types: ['DataRevealed'] })
    expect(events.map(({ data }) => data)).toEqual([
      { command: 'projections rebuild', by: 'operator', shown: ['appointments'] },
    ])
    expect(asked).toHaveLength(2)
    expect(await call('rebuild appointments --diff --yes')).toMatchObject({
      code: 0,
      out: ['appointments: no row would change', expect.stringMatching(/done/)],
    })
  })

  it('records only the rows that were shown', async () => {
    await write(...Array.from({ length: 51 }, () => appointmentBooked(crypto.randomUUID())))
    await startRunner()
    await pool.query('update read.appointments set moves = 9')
    expect((await call('verify appointments --reveal')).out.at(-2)).toContain('and 1 more')
    await call('verify appointments --reveal --json')
    await call('rebuild appointments --diff --reveal --prepare')
    const { events } = await store.readAll(null, { limit: 100, types: ['DataRevealed'] })
    const shown = events.map(({ data }) => (data as { shown: string[] }).shown.length)
    expect(shown).toEqual([50, 51, 50])
  })

  it('swaps the previous table back in, if there is one', async () => {
    await write(appointmentBooked('a'))
    await startRunner()
    expect(await call('swap-back appointments')).toMatchObject({
      code: 1,
      err: [expect.stringMatching(/no table of version 1/)],
    })
    await pool.query('update read.appointments set moves = 9')
    await call('rebuild appointments')
    await write(appointmentBooked('b'))
    expect((await call('swap-back appointments')).code).toBe(0)
    expect((await pool.query('select id, moves from read.appointments order by id')).rows).toEqual([
      { id: 'a', moves: 9 },
      { id: 'b', moves: 0 },
    ])
    expect((await call('list')).out[1]).toMatch(/version 1 is kept$/)
  })

  it('refuses a second, concurrent rebuild of the same projection', async () => {
    await write(appointmentBooked('a'))
    await startRunner()
    await pool.query('update read.appointments set moves = 9')
    const seconds: unknown[] = []
    const ask = async () => seconds.push(await call('rebuild appointments')) > 0
    expect((await call('rebuild appointments --diff', { ask })).code).toBe(0)
    expect(seconds).toEqual([{ code: 1, out: [], err: ['appointments: another process is rebuilding it'] }])
  })

  it('verifies, and names what differs', async () => {
    await write(appointmentBooked('a'), appointmentBooked('b'))
    await startRunner()
    await pool.query(`update read.appointments set moves = 9, extra = null where id = 'a'`)
    const { code, out } = await call('verify appointments')
    expect([code, out[0]]).toEqual([1, '  a  differs in extra, moves'])
    expect(out[1]).toMatch(/^appointments: 1 difference, 2 rows of 2 events, at pg-\d+$/)
    const json = JSON.parse((await call('verify appointments --json')).out.join('')) as object[]
    expect(json).toMatchObject([
      { name: 'appointments', rows: 2, differences: [{ key: 'a', columns: ['extra', 'moves'] }] },
    ])
  })

  it('ends when it is aborted, and continues at the next call', async () => {
    await write(appointmentBooked('a'))
    await startRunner()
    const signal = AbortSignal.abort()
    expect(await call('rebuild appointments', { signal })).toMatchObject({
      code: 130,
      err: [expect.stringMatching(/cancelled, nothing was changed/)],
    })
    expect((await call('verify appointments', { signal })).code).toBe(130)
    expect((await call('rebuild appointments')).code).toBe(0)
  })

  it('retries a failed projection, in the instance that runs it', async () => {
    let isBroken = true
    const unstable = {
      ...validAppointments,
      on: {
        ...validAppointments.on,
        AppointmentBooked: (row: never, event: never, key) => {
          if (isBroken) throw new RangeError('unstable')
          return validAppointments.on.AppointmentBooked?.(row, event, key) ?? null
        },
      },
    } as typeof validAppointments
    const projections = [unstable, tags]
    const runner = await startRunner(projections)
    const since = async () =>
      (JSON.parse((await call('--json', { projections })).out.join('')) as ProjectionStatus[])[0]?.since
    const times = [await since()]
    const position = await write(appointmentBooked('a'))
    await runner.waitUntilCaughtUp(['AppointmentBooked'], position)
    times.push(await since())
    expect((await call('list')).out[1]).toMatch(
      new RegExp(`failed .*failed at ${position} .AppointmentBooked: RangeError.$`),
    )
    expect(await call('retry appointments', { projections })).toMatchObject({ code: 1 })
    isBroken = false
    expect(await call('retry appointments', { projections })).toMatchObject({
      code: 0,
      out: ['appointments: running again'],
    })
    expect(await runner.getStates()).toMatchObject([{ state: 'running', lag: 0 }, { state: 'running' }])
    times.push(await since())
    await runner.waitUntilCaughtUp(['AppointmentBooked'], await write(appointmentBooked('b')))
    expect(await since()).toBe(times[2])
    expect(new Set(times).size).toBe(3)
    expect(await call('retry appointments', { projections })).toMatchObject({
      code: 1,
      err: ['appointments has not failed'],
    })
  })

  it('skips one event for good, and records the operator and the reason', async () => {
    const runner = await startRunner()
    const position = await write(newEvent('AppointmentBroken', { id: 'a' }))
    await runner.waitUntilCaughtUp(['AppointmentBroken'], await write(appointmentBooked('later')))
    expect(await call(`skip appointments --position pg-1 --why "x"`)).toMatchObject({
      code: 1,
      err: [`appointments has failed at ${position}`],
    })
    const skipped = await call(`skip appointments --position ${position} --why "entered twice"`)
    expect(skipped).toMatchObject({
      code: 0,
      out: [expect.stringMatching(/skipped from now on/), 'appointments: running again'],
    })
    const [recorded] = await readStream(store, 'projection-appointments')
    expect(recorded).toMatchObject({
      type: 'ReadModelEventSkipped',
      data: {
        projection: 'appointments',
        position,
        eventType: 'AppointmentBroken',
        by: 'operator',
        why: 'entered twice',
      },
    })
    await runner.waitUntilCaughtUp(['AppointmentBooked'], await write(appointmentBooked('last')))
    const listIds = async () =>
      (await pool.query('select id from read.appointments order by id')).rows.map(({ id }) => id)
    expect(await listIds()).toEqual(['last', 'later'])
    for (const line of ['verify appointments', 'rebuild appointments', 'swap-back appointments', 'verify appointments'])
      expect([line, (await call(line)).code]).toEqual([line, 0])
    await runner.stop()
    await pool.query('drop schema read cascade')
    await (await startRunner()).stop()
    expect(await listIds()).toEqual(['last', 'later'])
  })

  it('recovers from a failed rebuild to a new version', async () => {
    await write(appointmentBooked('a'))
    const position = await write(newEvent('AppointmentBroken', { id: 'a' }))
    await (await startRunner([validAppointments, tags])).stop()
    const projections = [{ ...appointments, version: 2 }, tags]
    const runner = await startRunner(projections)
    expect(await runner.getStates()).toMatchObject([{ state: 'failed' }, { state: 'running' }])
    expect((await call('list', { projections })).out[1]).toMatch(/its rebuild failed at/)
    expect(await call('verify appointments', { projections })).toMatchObject({ code: 1 })
    expect(await call('rebuild appointments', { projections })).toMatchObject({
      code: 1,
      err: [`Failed at event ${position} (AppointmentBroken: RangeError)`],
    })
    expect((await call(`skip appointments --position ${position} --why "a bug"`, { projections })).code).toBe(0)
    expect((await call('rebuild appointments', { projections })).code).toBe(0)
    await expect.poll(() => runner.getStates()).toMatchObject([{ state: 'running' }, { state: 'running' }])
    expect((await call('verify --all', { projections })).code).toBe(0)
  })

  it.each([
    'dance',
    'list appointments',
    'rebuild',
    'rebuild nothing',
    'rebuild appointments tags',
    'rebuild appointments --all',
    'rebuild appointments --prepare --yes',
    'verify appointments --diff',
    'retry',
    'skip appointments',
    'skip appointments --position pg-1',
    'skip appointments --position pg-1 --why " "',
    '--what',
    'swap-back appointments --json',
  ])('refuses an invalid call in one line, before it opens the database: %s', async (line) => {
    const refused = await runProjectionsCli(
      [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? ''),
      [appointments, tags],
      {
        out: (text) => expect.fail(text),
        err: (text) => expect(text).toMatch(/^[^\n]+$/),
        bar: null,
        ask: null,
        signal: new AbortController().signal,
        account: 'operator',
      },
      () => expect.fail('opened the database'),
    )
    expect(refused).toBe(2)
  })

  it('shows its help', async () => {
    expect((await call('--help')).out.join('\n')).toMatch(/swap-back <name>/)
  })

  it('says that there is no table yet', async () => {
    await (await startRunner([tags])).stop()
    expect(await call('rebuild appointments')).toMatchObject({
      code: 1,
      err: ['appointments has no table yet: start Everchart once'],
    })
  })
})
