import { pino } from 'pino'
import type { Pool } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type PostgresStore, openPostgresStore } from '#eventstore/postgres/store.ts'
import { openPool } from '#database/pool.ts'
import { createProjectionRunner, type ProjectionRunner } from '#projections/runner/runner.ts'
import type { AnyProjection } from '#projections/projection.ts'
import { newEvent } from '#tests/support/events.ts'
import { readTableRows, foldRows } from '#tests/support/rebuild.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts'
import { appointmentBooked, validAppointments, tags, appointments } from '#tests/support/appointments.ts'

const logger = pino({ level: 'silent' })
describe('read models', () => {
  let database: TestDatabase
  let pool: Pool
  let store: PostgresStore
  const feeds: ProjectionRunner[] = []

  beforeAll(async () => {
    database = await createTestDatabase()
    pool = openPool(database.url, 20)
    store = await openPostgresStore(pool)
  })
  beforeEach(async () => {
    await pool.query('drop schema if exists read cascade')
  })
  afterEach(async () => {
    for (const feed of feeds.splice(0)) await feed.stop()
  })
  afterAll(async () => {
    await store.close()
    await pool.end()
    await database.drop()
  })

  async function follow(
    projections: readonly AnyProjection[] = [appointments, tags],
    own = store,
  ): Promise<ProjectionRunner> {
    const feed = createProjectionRunner({ store: own, pool, projections, logger })
    feeds.push(feed)
    await feed.start()
    return feed
  }
  async function write(...events: ReturnType<typeof newEvent>[]): Promise<string> {
    const appended = await store.append(`appointment-${crypto.randomUUID()}`, 'no-stream', events)
    if (appended.status !== 'appended') throw new Error(appended.status)
    return appended.position
  }
  const rowOf = async (id: string) =>
    (await pool.query('select to_jsonb(t) as row from read.appointments t where id = $1', [id])).rows[0]?.row

  it('have the row that follows from what happened, as soon as the writer is answered', async () => {
    const feed = await follow()
    const position = await write(
      appointmentBooked('a', { tags: ['new', 'urgent'] }),
      newEvent('AppointmentMoved', { id: 'a', day: '2026-11-21' }),
    )
    await feed.waitUntilCaughtUp(['AppointmentMoved'], position)
    expect(await rowOf('a')).toMatchObject({ day: '2026-11-21', moves: 1, tags: ['new', 'urgent'] })
    const removed = await write(newEvent('AppointmentCancelled', { id: 'a' }))
    await feed.waitUntilCaughtUp(['AppointmentCancelled'], removed)
    expect(await rowOf('a')).toBeUndefined()
  })

  it('are the same row by row when everything is folded anew', async () => {
    const feed = await follow()
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
    await feed.waitUntilCaughtUp(['AppointmentBooked', 'AppointmentMoved', 'AppointmentCancelled'], position)
    for (const model of [appointments, tags]) {
      const live = await readTableRows(pool, model)
      expect(live.length).toBeGreaterThan(2)
      expect(live).toEqual(await foldRows(store, model))
    }
  })

  it('count every event once, although two copies of the app follow', async () => {
    const other = await openPostgresStore(pool)
    const [one, two] = [await follow(), await follow([appointments, tags], other)]
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

  it('go on where they were after a stop', async () => {
    const first = await follow()
    await first.waitUntilCaughtUp(['AppointmentBooked'], await write(appointmentBooked('s', { tags: ['stopped'] })))
    await first.stop()
    await write(appointmentBooked('s2', { tags: ['stopped'] }))
    await follow()
    expect((await pool.query(`select n from read.tags where tag = 'stopped'`)).rows).toEqual([{ n: 2 }])
  })

  it('follow from the first event again when their version is raised', async () => {
    await follow()
    await pool.query(`update read.tags set n = -1`)
    await follow([{ ...tags, version: 2 }])
    const { rows } = await pool.query('select min(n) as least from read.tags')
    expect(rows[0].least).toBeGreaterThan(0)
  })

  it('stop alone at an event they cannot fold, with everything before it, and say so without data', async () => {
    const feed = await follow()
    const before = await write(appointmentBooked('before'))
    const broken = await write(newEvent('AppointmentBroken', { id: 'before' }))
    const later = await write(appointmentBooked('later', { tags: ['after-broken'] }))
    await feed.waitUntilCaughtUp(['AppointmentBooked'], later)
    expect(before < broken).toBe(true)
    expect(await rowOf('before')).toBeDefined()
    expect(await rowOf('later')).toBeUndefined()
    expect((await pool.query(`select n from read.tags where tag = 'after-broken'`)).rows).toEqual([{ n: 1 }])
    const states = await feed.getStates()
    expect(states.find(({ name }) => name === 'appointments')).toMatchObject({ state: 'failed', lag: 2 })
    expect(states.find(({ name }) => name === 'tags')).toMatchObject({ state: 'running', lag: 0 })
    const { rows } = await pool.query(
      `select state, stopped_at, error from read.checkpoints where name = 'appointments'`,
    )
    expect(rows[0]).toEqual({ state: 'failed', stopped_at: broken, error: 'AppointmentBroken: RangeError' })
  })

  it('move the checkpoint of those that nothing concerned when they stop', async () => {
    const feed = await follow([tags])
    const position = await write(newEvent('SomethingElse', {}))
    await feed.waitUntilCaughtUp(['AppointmentBooked'], position)
    await feed.stop()
    const { rows } = await pool.query(`select position from read.checkpoints where name = 'tags'`)
    expect(rows[0].position).toBe(position)
  })

  it('finish what they have begun although another one meets a mishap, before anybody reads on', async () => {
    const reading: string[] = []
    const own = {
      ...store,
      readAll: (...asked: Parameters<PostgresStore['readAll']>) => (reading.push('read'), store.readAll(...asked)),
    }
    const feed = await follow([validAppointments, tags], own)
    await pool.query(`
      drop sequence if exists mishaps; create sequence mishaps;
      create or replace function at_first() returns trigger language plpgsql as $$
      begin if nextval('mishaps') = 1 then raise exception 'deadlock' using errcode = '40P01'; end if; return new; end $$;
      create or replace function slowly() returns trigger language plpgsql as $$ begin perform pg_sleep(0.5); return new; end $$;
      create trigger at_first before insert on read.appointments for each row execute function at_first();
      create trigger slowly before insert on read.tags for each row execute function slowly()`)
    const written = await write(appointmentBooked('both', { tags: ['slow'] }))
    await expect.poll(() => rowOf('both'), { interval: 10 }).toBeDefined()
    // Had the mishap of the one ended the turn at once, this would have been read again while the other was at it.
    expect((await pool.query(`select n from read.tags where tag = 'slow'`)).rows).toEqual([{ n: 1 }])
    await feed.waitUntilCaughtUp(['AppointmentBooked'], written)
    expect(reading.length).toBeGreaterThan(1)
  })

  it('go on when somebody froze with the checkpoint in hand, even in the middle of being answered', async () => {
    const feed = await follow([validAppointments])
    await feed.waitUntilCaughtUp(['AppointmentBooked'], await write(appointmentBooked('first')))
    const frozen = await pool.connect()
    frozen.on('error', () => undefined)
    await frozen.query(`begin; select from read.checkpoints where name = 'appointments' for update`)
    const busy = frozen.query('select pg_sleep(600)').catch((error: { code?: string }) => error.code)
    await write(appointmentBooked('second'))
    await expect.poll(() => rowOf('second')).toBeDefined()
    expect(await busy).toBe('57P01')
    frozen.release(true)
  })

  it('move the checkpoints of many that nothing concerned in one go, and leave alone what somebody else is at', async () => {
    const many = Array.from({ length: 12 }, (_, n) => ({ ...tags, name: `many_${n}` }))
    const feed = await follow(many)
    const held = await pool.connect()
    await held.query(`begin; select from read.checkpoints where name = 'many_3' for update`)
    const position = await write(newEvent('SomethingElse', {}))
    await feed.waitUntilCaughtUp(['AppointmentBooked'], position)
    const behind = async () =>
      (await pool.query('select name from read.checkpoints where position is distinct from $1', [position])).rows
    await expect.poll(behind).toEqual([{ name: 'many_3' }])
    await held.query('commit')
    held.release()
    await expect.poll(behind).toEqual([])
  })

  describe('when the database has taken back what it had not yet written to the disk', () => {
    /** What a crash of PostgreSQL leaves: rows and checkpoint of a moment before. */
    async function takeBack(id: string): Promise<void> {
      await pool.query(
        `with gone as (delete from read.appointments where id = $1)
         update read.checkpoints set position = null where name = 'appointments'`,
        [id],
      )
    }

    it('fold it again before they go on', async () => {
      const feed = await follow([validAppointments])
      await feed.waitUntilCaughtUp(['AppointmentBooked'], await write(appointmentBooked('lost')))
      await takeBack('lost')
      await feed.waitUntilCaughtUp(['AppointmentBooked'], await write(appointmentBooked('next')))
      expect(await rowOf('lost')).toBeDefined()
      expect(await rowOf('next')).toBeDefined()
    })

    it.each([
      ['nothing happens any more', async () => undefined],
      ['only other things happen', async () => void (await write(newEvent('SomethingElse', {})))],
    ])('fold it again although %s', async (_, meanwhile) => {
      const feed = await follow([validAppointments])
      await feed.waitUntilCaughtUp(['AppointmentBooked'], await write(appointmentBooked('lost')))
      await takeBack('lost')
      await meanwhile()
      await expect.poll(() => rowOf('lost')).toBeDefined()
    })
  })

  it.each([
    ['a deadlock', `raise exception 'deadlock' using errcode = '40P01'`],
    ['a connection that breaks', 'perform pg_terminate_backend(pg_backend_pid())'],
    ['a full disk', `raise exception 'full' using errcode = '53100'`],
  ])('go on after %s: the event was not to blame', async (_, mishap) => {
    const feed = await follow([validAppointments])
    // A sequence is not rolled back: only the first two tries fail.
    await pool.query(`
      drop sequence if exists mishaps; create sequence mishaps;
      create or replace function mishap() returns trigger language plpgsql as $$
      begin if nextval('mishaps') <= 2 then ${mishap}; end if; return new; end $$;
      create trigger mishap before insert on read.appointments for each row execute function mishap()`)
    await feed.waitUntilCaughtUp(['AppointmentBooked'], await write(appointmentBooked('unlucky')))
    expect(await rowOf('unlucky')).toBeDefined()
    expect(await feed.getStates()).toMatchObject([{ state: 'running', lag: 0 }])
  })

  it('leave the table to another version that has taken it over, and keep nobody waiting', async () => {
    const old = await follow([validAppointments, tags])
    await follow([validAppointments, { ...tags, version: 2 }])
    const position = await write(appointmentBooked('v', { tags: ['once'] }))
    await old.waitUntilCaughtUp(['AppointmentBooked'], position)
    const stateOf = async (name: string) => (await old.getStates()).find((one) => one.name === name)
    await expect.poll(() => stateOf('tags')).toMatchObject({ version: 1, state: 'stopped' })
    await expect.poll(() => stateOf('appointments')).toMatchObject({ state: 'running', lag: 0 })
    // What is there already is answered before any timer can run.
    const answered = old.waitUntilCaughtUp(['AppointmentBooked'], position).then(() => 'answered')
    expect(await Promise.race([answered, new Promise((resolve) => setImmediate(resolve, 'waits'))])).toBe('answered')
    await expect
      .poll(async () => (await pool.query(`select n from read.tags where tag = 'once'`)).rows)
      .toEqual([{ n: 1 }])
  })
})
