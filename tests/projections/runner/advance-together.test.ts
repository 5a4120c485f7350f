import { pino } from 'pino'
import type { Pool, PoolClient } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type PostgresStore, openPostgresStore } from '#eventstore/postgres/store.ts'
import { readPages } from '#eventstore/read-pages.ts'
import { loadRows } from '#projections/fold.ts'
import { type AnyProjection, applyEvent, type Row, type Rows } from '#projections/projection.ts'
import type { Subscriber } from '#projections/runner/subscriber.ts'
import { createProjectionRunner, type ProjectionRunner } from '#projections/runner/runner.ts'
import {
  appointmentBooked,
  appointmentMoved,
  appointments,
  generateAppointmentEvents,
  tags,
  validAppointments,
} from '#tests/support/appointments.ts'
import { endlessTimeouts } from '#tests/support/endless-timeouts.ts'
import { newEvent } from '#tests/support/events.ts'
import { createTestDatabase, openTestPool, type TestDatabase } from '#tests/support/test-database.ts'

describe.each([true, false])(
  'projections that handle the same event, with a pipelined connection: %s',
  (isPipelined) => {
    let database: TestDatabase
    let pool: Pool
    let store: PostgresStore
    const runners: ProjectionRunner[] = []
    let logged: string[] = []

    beforeAll(async () => {
      database = await createTestDatabase()
      // As in production; the server of the tests commits asynchronously.
      pool = openTestPool(`${database.url}?options=-c%20synchronous_commit%3Don`, 20, { isPipelined })
      store = await openPostgresStore(pool)
    })
    beforeEach(async () => {
      logged = []
      await pool.query('drop schema if exists read cascade')
      await pool.query('drop table if exists notes')
      await pool.query('create table notes (name text, event text, transaction text, commit text)')
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
      projections: readonly AnyProjection[] = [validAppointments, tags],
      processManagers: readonly Subscriber[] = [],
    ): Promise<ProjectionRunner> {
      const logger = pino({ level: 'warn' }, { write: (line) => void logged.push(JSON.parse(line).msg) })
      const parts = { store, pool, projections, processManagers, logger }
      const runner = createProjectionRunner({ ...parts, catchUpTimeoutMs: endlessTimeouts.catchUpMs })
      runners.push(runner)
      await runner.start()
      return runner
    }

    async function write(...events: ReturnType<typeof newEvent>[]): Promise<string> {
      const appended = await store.append(`appointment-${crypto.randomUUID()}`, 'no-stream', events)
      if (appended.status !== 'appended') throw new Error(appended.status)
      return appended.position
    }

    /** Books an appointment with a tag of the same name. */
    const book = (id: string) => appointmentBooked(id, { tags: [id] })

    /** Returns the transaction that wrote the row of the appointment, and that of its tag; undefined without a row. */
    async function findTransactions(id: string): Promise<(string | undefined)[]> {
      const ofAppointment = await pool.query('select xmin::text from read.appointments where id = $1', [id])
      const ofTag = await pool.query('select xmin::text from read.tags where tag = $1', [id])
      return [ofAppointment.rows[0]?.xmin, ofTag.rows[0]?.xmin]
    }

    it('are written in one transaction', async () => {
      const runner = await startRunner()
      await runner.waitUntilCaughtUp(['AppointmentBooked'], await write(book('one')))
      const [ofAppointment, ofTag] = await findTransactions('one')
      expect(ofAppointment).toMatch(/^\d+$/)
      expect(ofTag).toBe(ofAppointment)
    })

    it('have the rows of a fold of each alone: changed, removed, and more than one statement takes', async () => {
      const runner = await startRunner()
      const many = Array.from({ length: 501 }, (_, index) => `tag-${index}`)
      const batches = [
        ...generateAppointmentEvents(120, 12),
        [book('wide'), appointmentMoved('wide')],
        [appointmentBooked('wide', { tags: many })],
        [newEvent('AppointmentCancelled', { id: 'wide' }), appointmentBooked('last', { tags: ['t1', 't2'] })],
      ]
      for (const batch of batches)
        for (let from = 0; from < batch.length; from += 7)
          await runner.waitUntilCaughtUp(['AppointmentBooked'], await write(...batch.slice(from, from + 7)))

      for (const projection of [validAppointments, tags]) {
        const rows: Rows = new Map()
        for await (const { events } of readPages(store)) for (const event of events) applyEvent(projection, rows, event)
        const folded = [...rows.values()].filter((row) => row !== null)
        const stored = await loadRows(pool, projection, [...rows.keys()])
        const byKey = (some: readonly Row[]) =>
          some.toSorted((a, b) => (String(a[projection.key]) < String(b[projection.key]) ? -1 : 1))
        expect(byKey(stored)).toEqual(byKey(folded))
      }
    })

    it('are loaded in one statement and written in another, whatever their number', async () => {
      const runner = await startRunner()
      await runner.waitUntilCaughtUp(['AppointmentBooked'], await write(book('counted')))
      const statements: string[] = []
      const watched = new Map<PoolClient, PoolClient['query']>()
      const watch = (client: PoolClient) => {
        if (watched.has(client)) return
        const { query } = client
        watched.set(client, query)
        client.query = ((config: { text?: string } | string, ...rest: unknown[]) => {
          statements.push(typeof config === 'string' ? config : (config.text ?? ''))
          return Reflect.apply(query, client, [config, ...rest]) as unknown
        }) as typeof query
      }
      pool.on('acquire', watch)
      try {
        await runner.waitUntilCaughtUp(['AppointmentBooked'], await write(book('counted again')))
      } finally {
        pool.off('acquire', watch)
        for (const [client, query] of watched) client.query = query
      }
      const ofRows = statements.filter((text) => /read\."(appointments|tags)"/.test(text))
      expect(ofRows.map((text) => (text.includes('insert into') ? 'write' : 'load'))).toEqual(['load', 'write'])
    })

    /** A process manager that writes a note for each event, instead of a job. */
    const noteOf = (name: string, react: () => void = () => undefined): Subscriber => ({
      kind: 'process-manager',
      name,
      version: 1,
      eventTypes: new Set(['AppointmentBooked']),
      isMetadataOnly: false,
      async processEvents(client, events) {
        const write = `insert into notes select $1, event, pg_current_xact_id()::text, current_setting('synchronous_commit')
          from unnest($2::text[]) as event`
        await client.query(write, [name, events.map(({ data }) => (data as { id: string }).id)])
        react()
      },
    })
    const listNotes = async () =>
      (await pool.query('select name, event, transaction, commit from notes order by name, event')).rows

    it('share their transaction with process managers', async () => {
      const runner = await startRunner([validAppointments, tags], [noteOf('first'), noteOf('second')])
      await runner.waitUntilCaughtUp(['AppointmentBooked'], await write(book('managed')))
      const [transaction] = await findTransactions('managed')
      expect(await listNotes()).toEqual([
        { name: 'first', event: 'managed', transaction, commit: 'off' },
        { name: 'second', event: 'managed', transaction, commit: 'off' },
      ])
    })

    it('are written without a process manager that fails, of which nothing is', async () => {
      const fail = () => {
        throw new RangeError('at fault')
      }
      const runner = await startRunner([validAppointments, tags], [noteOf('failing', fail), noteOf('well')])
      for (const id of ['apart', 'aside']) await runner.waitUntilCaughtUp(['AppointmentBooked'], await write(book(id)))
      await expect
        .poll(async () => (await listNotes()).map(({ name, event }) => [name, event]))
        .toEqual([
          ['well', 'apart'],
          ['well', 'aside'],
        ])
      expect(
        (await pool.query(`select tag, n from read.tags where tag in ('apart', 'aside') order by tag`)).rows,
      ).toEqual([
        { tag: 'apart', n: 1 },
        { tag: 'aside', n: 1 },
      ])
      const states = await runner.getStates()
      expect(states.map(({ name, state }) => [name, state])).toEqual([
        ['appointments', 'running'],
        ['tags', 'running'],
        ['failing', 'failed'],
        ['well', 'running'],
      ])
    })

    it('go on without one that another instance holds, which follows when it is free', async () => {
      const runner = await startRunner()
      await runner.waitUntilCaughtUp(['AppointmentBooked'], await write(book('first')))
      const other = await pool.connect()
      try {
        await other.query(`begin; select from read.checkpoints where name = 'appointments' for update`)
        await write(book('second'))
        await expect.poll(async () => (await findTransactions('second'))[1]).toBeDefined()
        expect((await findTransactions('second'))[0]).toBeUndefined()
      } finally {
        await other.query('rollback')
        other.release()
      }
      await expect.poll(async () => (await findTransactions('second'))[0]).toBeDefined()
      const [ofAppointment, ofTag] = await findTransactions('second')
      expect(ofAppointment).not.toBe(ofTag)
    })

    it('count each event once where the database has lost the commit of one of them', async () => {
      const runner = await startRunner()
      await runner.waitUntilCaughtUp(['AppointmentBooked'], await write(book('kept')))
      // Its row and its checkpoint are those of an earlier moment.
      await pool.query(`with gone as (delete from read.appointments)
      update read.checkpoints set position = null where name = 'appointments'`)
      await runner.waitUntilCaughtUp(['AppointmentBooked'], await write(book('next')))
      await expect.poll(async () => (await findTransactions('next'))[0]).toBeDefined()
      const found = await pool.query(`select id, moves from read.appointments where id in ('kept', 'next') order by id`)
      expect(found.rows).toEqual([
        { id: 'kept', moves: 0 },
        { id: 'next', moves: 0 },
      ])
      expect(
        (await pool.query(`select tag, n from read.tags where tag in ('kept', 'next') order by tag`)).rows,
      ).toEqual([
        { tag: 'kept', n: 1 },
        { tag: 'next', n: 1 },
      ])
    })

    it('are written alone, which is logged, when only one transaction of all fails', async () => {
      const runner = await startRunner()
      await pool.query(`
        create or replace function public.refuse_several() returns trigger language plpgsql as $$ begin
          if (select count(*) from moved) > 1 then raise exception 'several'; end if; return null;
        end $$;
        create trigger refuse_several after update on read.checkpoints referencing new table as moved
          for each statement execute function public.refuse_several()`)
      await runner.waitUntilCaughtUp(['AppointmentBooked'], await write(book('apart')))
      const [ofAppointment, ofTag] = await findTransactions('apart')
      expect(ofAppointment).toMatch(/^\d+$/)
      expect(ofTag).toMatch(/^\d+$/)
      expect(ofTag).not.toBe(ofAppointment)
      expect((await runner.getStates()).map(({ state }) => state)).toEqual(['running', 'running'])
      await expect.poll(() => logged).toEqual(['read models advance one by one'])
    })

    it('are written alone, the one at fault not at all, when another one fails', async () => {
      const runner = await startRunner([appointments, tags])
      // The other projection fails at the first event of the batch, and has the row before it.
      const position = await write(
        book('before'),
        newEvent('AppointmentBroken', { id: 'before' }),
        appointmentBooked('after', { tags: ['before'] }),
      )
      await runner.waitUntilCaughtUp(['AppointmentBooked'], position)
      const found = await pool.query(`select id from read.appointments where id in ('before', 'after')`)
      expect(found.rows).toEqual([{ id: 'before' }])
      expect((await pool.query(`select n from read.tags where tag = 'before'`)).rows).toEqual([{ n: 2 }])
      const states = await runner.getStates()
      expect(states.map(({ name, state }) => [name, state])).toEqual([
        ['appointments', 'failed'],
        ['tags', 'running'],
      ])
      await expect.poll(() => logged).toEqual(['projection failed'])
    })
  },
)
