import { pino } from 'pino'
import type { Pool } from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { NewEvent } from '#eventstore/event.ts'
import { type PostgresStore, postgresStore } from '#eventstore/postgres.ts'
import { openPool } from '#projections/database.ts'
import { createFeed, type Feed } from '#projections/feed.ts'
import type { AnyProjection } from '#projections/projection.ts'
import { swapBack } from '#projections/rebuild.ts'
import { newEvent } from '#tests/support/events.ts'
import { liveRows, rebuiltRows } from '#tests/support/rebuild.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts'
import { booked, sound, tags, visits, visitsOfYears } from '#tests/support/visits.ts'

const logger = pino({ level: 'silent' })

describe('a rebuild at a start', () => {
  let database: TestDatabase
  let pool: Pool
  let store: PostgresStore
  const feeds: Feed[] = []

  beforeEach(async () => {
    database = await createTestDatabase()
    pool = openPool(database.url, 20)
    store = await postgresStore(pool)
  })
  afterEach(async () => {
    for (const feed of feeds.splice(0)) await feed.stop()
    await store.close()
    await pool.end()
    await database.drop()
  })

  async function follow(projections: readonly AnyProjection[] = [sound, tags], signal?: AbortSignal): Promise<Feed> {
    const feed = createFeed({ store, pool, projections, logger, signal })
    feeds.push(feed)
    await feed.start()
    return feed
  }
  async function write(...events: NewEvent[]): Promise<string> {
    const appended = await store.append(`visit-${crypto.randomUUID()}`, 'no-stream', events)
    if (appended.status !== 'appended') throw new Error(appended.status)
    return appended.position
  }
  const history = async (events = 10_000, rows = 1_500) => {
    for (const some of visitsOfYears(events, rows)) await write(...some)
  }
  const checkpoint = async (name: string) =>
    (await pool.query('select version, position, state from read.checkpoints where name = $1', [name])).rows[0]

  describe('because there is a long record and nothing of it yet', () => {
    it('is done at the first start, and leaves nothing beside', async () => {
      await history(6_000)
      // Following would fire it for every row.
      await (await follow([tags])).stop()
      await pool.query(`
        delete from read.tags; update read.checkpoints set position = null;
        create function refuse() returns trigger language plpgsql as $$ begin raise 'was followed'; end $$;
        create trigger refuse before insert on read.tags for each row execute function refuse()`)
      await follow()
      for (const model of [sound, tags]) expect(await liveRows(pool, model)).toEqual(await rebuiltRows(store, model))
      const { rows } = await pool.query('select name from read.checkpoints order by name')
      expect(rows).toEqual([{ name: 'tags' }, { name: 'visits' }])
      const { rows: tables } = await pool.query(`select tablename from pg_tables where schemaname = 'read'`)
      expect(tables.map(({ tablename }) => tablename).toSorted()).toEqual(['checkpoints', 'origin', 'tags', 'visits'])
    })

    it('ends where an event stops it, with everything before it', async () => {
      await history(6_000)
      const position = await write(booked('before'), newEvent('VisitBroken', { id: 'h1' }), booked('behind'))
      const feed = await follow([visits, tags])
      expect(await feed.state()).toMatchObject([{ state: 'failed' }, { state: 'running', lag: 0 }])
      const ids = (await liveRows(pool, sound)).map(({ id }) => id)
      expect([ids.includes('before'), ids.includes('behind')]).toEqual([true, false])
      const { rows } = await pool.query(`select stopped_at from read.checkpoints where name = 'visits'`)
      expect(rows[0].stopped_at < position).toBe(true)
      expect(await checkpoint('visits~next')).toBeUndefined()
    })
  })

  describe('because the version went up', () => {
    const raised = { ...sound, version: 2, columns: { ...sound.columns, moves: 'int8' } } as typeof sound

    it('is done at the start, while copies of before go on until the moment of the exchange', async () => {
      await history(2_000)
      const before = await follow()
      await follow([raised])
      expect(await checkpoint('visits')).toMatchObject({ version: 2, state: 'running' })
      expect(await checkpoint('visits~previous')).toMatchObject({ version: 1 })
      expect(await liveRows(pool, raised)).toEqual(await rebuiltRows(store, raised))
      await expect.poll(async () => (await before.state())[0]).toMatchObject({ name: 'visits', state: 'stopped' })
    })

    it('is undone by the code of before, with the table of before', async () => {
      await history(2_000)
      await (await follow()).stop()
      await (await follow([raised])).stop()
      await pool.query(`update read."visits~previous" set moves = 77 where id = 'h14'`)
      await write(booked('since'))
      await follow()
      expect(await checkpoint('visits')).toMatchObject({ version: 1 })
      const rows = await liveRows(pool, sound)
      expect(rows.find(({ id }) => id === 'h14')).toMatchObject({ moves: 77 })
      expect(rows.map(({ id }) => id)).toContain('since')
      expect(await swapBack({ store, pool }, sound)).toBeNull()
    })

    it('is done once by copies that start together', async () => {
      await history(2_000)
      await (await follow()).stop()
      const [one] = await Promise.all([follow([raised]), follow([raised])])
      await one.caughtUp(['VisitBooked'], await write(booked('both')))
      expect(await liveRows(pool, raised)).toEqual(await rebuiltRows(store, raised))
      expect(await checkpoint('visits~previous')).toMatchObject({ version: 1 })
    })

    it('ends with the start it belongs to', async () => {
      await history(2_000)
      await (await follow()).stop()
      await expect(follow([raised], AbortSignal.abort(new Error('told to stop')))).rejects.toThrow('told to stop')
      feeds.length = 0
    })

    it('leaves the old table in place where an event stops it, says so, and lets the others go on', async () => {
      await history(500)
      await write(newEvent('VisitBroken', { id: 'h1' }))
      await (await follow()).stop()
      const rows = await liveRows(pool, sound)
      const feed = await follow([{ ...visits, version: 2 }, tags])
      expect(await feed.state()).toMatchObject([
        { name: 'visits', state: 'failed' },
        { name: 'tags', state: 'running' },
      ])
      expect(await liveRows(pool, sound)).toEqual(rows)
    })
  })
})
