import { pino } from 'pino'
import type { Pool } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type PostgresStore, openPostgresStore } from '#eventstore/postgres/store.ts'
import { createProjectionRunner, type ProjectionRunner } from '#projections/runner/runner.ts'
import { type AnyProjection, defineProjection } from '#projections/projection.ts'
import { endlessTimeouts } from '#tests/support/endless-timeouts.ts'
import { newEvent } from '#tests/support/events.ts'
import { readTableRows, foldRows } from '#tests/support/rebuild.ts'
import { createTestDatabase, type TestDatabase, openTestPool } from '#tests/support/test-database.ts'
import { appointmentBooked, validAppointments, tags, appointments } from '#tests/support/appointments.ts'
import { itLong } from '#tests/support/long.ts'

const logger = pino({ level: 'silent' })
describe('projections', () => {
  let database: TestDatabase
  let pool: Pool
  let store: PostgresStore
  const runners: ProjectionRunner[] = []

  beforeAll(async () => {
    database = await createTestDatabase()
    pool = openTestPool(database.url, 20)
    store = await openPostgresStore(pool)
  })
  beforeEach(async () => {
    await pool.query('drop schema if exists read cascade')
  })
  afterEach(async () => {
    for (const runner of runners.splice(0)) await runner.stop()
  })
  afterAll(async () => {
    await store.close()
    await pool.end()
    await database.drop()
  })

  async function startRunner(
    projections: readonly AnyProjection[] = [appointments, tags],
    own = store,
  ): Promise<ProjectionRunner> {
    const runner = createProjectionRunner({
      store: own,
      pool,
      projections,
      logger,
      catchUpTimeoutMs: endlessTimeouts.catchUpMs,
    })
    runners.push(runner)
    await runner.start()
    return runner
  }
  async function write(...events: ReturnType<typeof newEvent>[]): Promise<string> {
    const appended = await store.append(`appointment-${crypto.randomUUID()}`, 'no-stream', events)
    if (appended.status !== 'appended') throw new Error(appended.status)
    return appended.position
  }
  const rowOf = async (id: string) =>
    (await pool.query('select to_jsonb(t) as row from read.appointments t where id = $1', [id])).rows[0]?.row

  it('have the row that follows from the events as soon as the writer gets a response', async () => {
    const runner = await startRunner()
    const position = await write(
      appointmentBooked('a', { tags: ['new', 'urgent'] }),
      newEvent('AppointmentMoved', { id: 'a', day: '2026-11-21' }),
    )
    await runner.waitUntilCaughtUp(['AppointmentMoved'], position)
    expect(await rowOf('a')).toMatchObject({ day: '2026-11-21', moves: 1, tags: ['new', 'urgent'] })
    const removed = await write(newEvent('AppointmentCancelled', { id: 'a' }))
    await runner.waitUntilCaughtUp(['AppointmentCancelled'], removed)
    expect(await rowOf('a')).toBeUndefined()
  })

  it('have the same rows as a rebuild', async () => {
    const runner = await startRunner()
    let position = ''
    for (let n = 0; n < 300; n++) {
      const id = `r${n % 40}`
      const event = [
        appointmentBooked(id, { tags: [`t${n % 3}`, `t${n % 5}`] }),
        newEvent('AppointmentMoved', { id, day: `2026-12-0${(n % 9) + 1}` }),
        newEvent('AppointmentCancelled', { id }),
      ]
      position = await write(event[(n * 7) % 3] ?? appointmentBooked(id))
    }
    await runner.waitUntilCaughtUp(['AppointmentBooked', 'AppointmentMoved', 'AppointmentCancelled'], position)
    for (const model of [appointments, tags]) {
      const live = await readTableRows(pool, model)
      expect(live.length).toBeGreaterThan(2)
      expect(live).toEqual(await foldRows(store, model))
    }
  })

  it('count every event once, although two instances run', async () => {
    const other = await openPostgresStore(pool)
    const [one, two] = [await startRunner(), await startRunner([appointments, tags], other)]
    const positions = await Promise.all(
      Array.from({ length: 150 }, (_, n) => write(appointmentBooked(`c${n}`, { tags: ['counted'] }))),
    )
    const last = positions.toSorted().at(-1) ?? ''
    await Promise.all([
      one.waitUntilCaughtUp(['AppointmentBooked'], last),
      two.waitUntilCaughtUp(['AppointmentBooked'], last),
    ])
    expect((await pool.query(`select n from read.tags where tag = 'counted'`)).rows).toEqual([{ n: 150 }])
    await other.close()
  })

  it('resume at their checkpoint after a stop', async () => {
    const first = await startRunner()
    await first.waitUntilCaughtUp(['AppointmentBooked'], await write(appointmentBooked('s', { tags: ['stopped'] })))
    await first.stop()
    await write(appointmentBooked('s2', { tags: ['stopped'] }))
    await startRunner()
    expect((await pool.query(`select n from read.tags where tag = 'stopped'`)).rows).toEqual([{ n: 2 }])
  })

  it('are rebuilt from the first event when their version is raised', async () => {
    await startRunner()
    await pool.query(`update read.tags set n = -1`)
    await startRunner([{ ...tags, version: 2 }])
    const { rows } = await pool.query('select min(n) as least from read.tags')
    expect(rows[0].least).toBeGreaterThan(0)
  })

  it('fail alone at an event they cannot fold, after everything before it, and report it without data', async () => {
    const runner = await startRunner()
    const before = await write(appointmentBooked('before'))
    const broken = await write(newEvent('AppointmentBroken', { id: 'before' }))
    const later = await write(appointmentBooked('later', { tags: ['after-broken'] }))
    await runner.waitUntilCaughtUp(['AppointmentBooked'], later)
    expect(before < broken).toBe(true)
    expect(await rowOf('before')).toBeDefined()
    expect(await rowOf('later')).toBeUndefined()
    expect((await pool.query(`select n from read.tags where tag = 'after-broken'`)).rows).toEqual([{ n: 1 }])
    const states = await runner.getStates()
    expect(states.find(({ name }) => name === 'appointments')).toMatchObject({ state: 'failed', lag: 2 })
    expect(states.find(({ name }) => name === 'tags')).toMatchObject({ state: 'running', lag: 0 })
    const { rows } = await pool.query(
      `select state, failed_at_position, error from read.checkpoints where name = 'appointments'`,
    )
    expect(rows[0]).toEqual({ state: 'failed', failed_at_position: broken, error: 'AppointmentBroken: RangeError' })
  })

  it('save the position of a projection that handled no event when they stop', async () => {
    const runner = await startRunner([tags])
    const position = await write(newEvent('SomethingElse', {}))
    await runner.waitUntilCaughtUp(['AppointmentBooked'], position)
    await runner.stop()
    const { rows } = await pool.query(`select position from read.checkpoints where name = 'tags'`)
    expect(rows[0].position).toBe(position)
  })

  it('finish their batch although another one fails, before the next read', async () => {
    const reading: string[] = []
    const own = {
      ...store,
      readAll: (...asked: Parameters<PostgresStore['readAll']>) => (reading.push('read'), store.readAll(...asked)),
    }
    const runner = await startRunner([validAppointments, tags], own)
    await pool.query(`
      drop sequence if exists failures; create sequence failures;
      create or replace function at_first() returns trigger language plpgsql as $$
      begin if nextval('failures') <= 2 then raise exception 'deadlock' using errcode = '40P01'; end if; return new; end $$;
      create or replace function slowly() returns trigger language plpgsql as $$ begin perform pg_sleep(0.5); return new; end $$;
      create trigger at_first before insert on read.appointments for each row execute function at_first();
      create trigger slowly before insert on read.tags for each row execute function slowly()`)
    const written = await write(appointmentBooked('both', { tags: ['slow'] }))
    await expect.poll(() => rowOf('both'), { interval: 10 }).toBeDefined()
    // If the failure had ended the poll at once, the event would have been read again while the other one was writing.
    expect((await pool.query(`select n from read.tags where tag = 'slow'`)).rows).toEqual([{ n: 1 }])
    await runner.waitUntilCaughtUp(['AppointmentBooked'], written)
    expect(reading.length).toBeGreaterThan(1)
  })

  itLong('continue when a frozen process holds the checkpoint, even while it is being sent rows', async () => {
    const runner = await startRunner([validAppointments])
    await runner.waitUntilCaughtUp(['AppointmentBooked'], await write(appointmentBooked('first')))
    const frozen = await pool.connect()
    frozen.on('error', () => undefined)
    await frozen.query(`begin; select from read.checkpoints where name = 'appointments' for update`)
    const busy = frozen.query('select pg_sleep(600)').catch((error: { code?: string }) => error.code)
    await write(appointmentBooked('second'))
    await expect.poll(() => rowOf('second')).toBeDefined()
    expect(await busy).toBe('57P01')
    frozen.release(true)
  })

  itLong(
    'save the positions of many that handled no event at once, except those that another instance holds',
    async () => {
      const many = Array.from({ length: 12 }, (_, n) => ({ ...tags, name: `many_${n}` }))
      const runner = await startRunner(many)
      const held = await pool.connect()
      await held.query(`begin; select from read.checkpoints where name = 'many_3' for update`)
      const position = await write(newEvent('SomethingElse', {}))
      await runner.waitUntilCaughtUp(['AppointmentBooked'], position)
      const behind = async () =>
        (await pool.query('select name from read.checkpoints where position is distinct from $1', [position])).rows
      await expect.poll(behind).toEqual([{ name: 'many_3' }])
      await held.query('commit')
      held.release()
      await expect.poll(behind).toEqual([])
    },
  )

  describe('when the database has lost its last commits', () => {
    /** Reproduces a crash of PostgreSQL: rows and checkpoint are those of an earlier moment. */
    async function loseCommits(id: string): Promise<void> {
      await pool.query(
        `with gone as (delete from read.appointments where id = $1)
         update read.checkpoints set position = null where name = 'appointments'`,
        [id],
      )
    }

    it('fold the events again before the next ones', async () => {
      const runner = await startRunner([validAppointments])
      await runner.waitUntilCaughtUp(['AppointmentBooked'], await write(appointmentBooked('lost')))
      await loseCommits('lost')
      await runner.waitUntilCaughtUp(['AppointmentBooked'], await write(appointmentBooked('next')))
      expect(await rowOf('lost')).toBeDefined()
      expect(await rowOf('next')).toBeDefined()
    })

    itLong.each([
      ['nothing else happens', async () => undefined],
      ['only unrelated events happen', async () => void (await write(newEvent('SomethingElse', {})))],
    ])('fold the events again although %s', async (_, doNext) => {
      const runner = await startRunner([validAppointments])
      await runner.waitUntilCaughtUp(['AppointmentBooked'], await write(appointmentBooked('lost')))
      await loseCommits('lost')
      await doNext()
      await expect.poll(() => rowOf('lost')).toBeDefined()
    })
  })

  it.each([
    ['a deadlock', `raise exception 'deadlock' using errcode = '40P01'`],
    ['a broken connection', 'perform pg_terminate_backend(pg_backend_pid())'],
    ['a full disk', `raise exception 'full' using errcode = '53100'`],
  ])('continue after %s, which is not the fault of the event', async (_, failure) => {
    const runner = await startRunner([validAppointments])
    // A sequence is not rolled back: only the first two attempts fail.
    await pool.query(`
      drop sequence if exists failures; create sequence failures;
      create or replace function fail_twice() returns trigger language plpgsql as $$
      begin if nextval('failures') <= 2 then ${failure}; end if; return new; end $$;
      create trigger fail_twice before insert on read.appointments for each row execute function fail_twice()`)
    await runner.waitUntilCaughtUp(['AppointmentBooked'], await write(appointmentBooked('unlucky')))
    expect(await rowOf('unlucky')).toBeDefined()
    expect(await runner.getStates()).toMatchObject([{ state: 'running', lag: 0 }])
  })

  itLong('split a batch whose folding takes too long for one transaction', async () => {
    // PostgreSQL ends the transaction after 1.5 seconds without a statement; these events take at least 2.4.
    const timesOut = new Int32Array(new SharedArrayBuffer(4))
    const slow = defineProjection<{ type: 'SlowlyCounted'; data: { id: string } }, { id: string; n: number }>({
      name: 'slow',
      version: 1,
      columns: { id: 'text', n: 'int4' },
      key: 'id',
      rowOf: ({ data }) => data.id,
      on: {
        SlowlyCounted: (row, { data: { id } }) => {
          Atomics.wait(timesOut, 0, 0, 40)
          return { id, n: (row?.n ?? 0) + 1 }
        },
      },
    })
    const events = Array.from({ length: 60 }, (_, index) => newEvent('SlowlyCounted', { id: `s${index % 3}` }))
    await write(...events)
    await startRunner([slow])
    expect((await pool.query('select id, n from read.slow order by id')).rows).toEqual(
      ['s0', 's1', 's2'].map((id) => ({ id, n: 20 })),
    )
  })

  it('leave the table to another version that has taken over, and do not delay writers', async () => {
    const old = await startRunner([validAppointments, tags])
    await startRunner([validAppointments, { ...tags, version: 2 }])
    const position = await write(appointmentBooked('v', { tags: ['once'] }))
    await old.waitUntilCaughtUp(['AppointmentBooked'], position)
    const stateOf = async (name: string) => (await old.getStates()).find((state) => state.name === name)
    await expect.poll(() => stateOf('tags')).toMatchObject({ version: 1, state: 'superseded' })
    await expect.poll(() => stateOf('appointments')).toMatchObject({ state: 'running', lag: 0 })
    // A position that has been reached resolves before any timer can run.
    const caughtUp = old.waitUntilCaughtUp(['AppointmentBooked'], position).then(() => 'caught up')
    expect(await Promise.race([caughtUp, new Promise((resolve) => setImmediate(resolve, 'waiting'))])).toBe('caught up')
    await expect
      .poll(async () => (await pool.query(`select n from read.tags where tag = 'once'`)).rows)
      .toEqual([{ n: 1 }])
  })
})
