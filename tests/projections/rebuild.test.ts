import { pino } from 'pino'
import type { Pool } from 'pg'
import { sql } from 'slonik'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { NewEvent } from '#eventstore/event.ts'
import { type PostgresStore, postgresStore } from '#eventstore/postgres.ts'
import { openDatabase, openPool } from '#projections/database.ts'
import { createFeed, type Feed } from '#projections/feed.ts'
import type { AnyProjection } from '#projections/projection.ts'
import { type Progress, rebuild, swapBack } from '#projections/rebuild.ts'
import { FoldFailed } from '#projections/shadow.ts'
import { recordSkip } from '#projections/skips.ts'
import { newEvent, readEverything } from '#tests/support/events.ts'
import { liveRows, rebuiltRows } from '#tests/support/rebuild.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts'
import { booked, moved, sound, tags, visits, visitsOfYears } from '#tests/support/visits.ts'

const logger = pino({ level: 'silent' })

describe('a rebuild', () => {
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

  it('leaves exactly what follows from the record, and keeps the table of before', async () => {
    await history()
    await follow()
    await pool.query(`update read.visits set moves = -1; delete from read.tags`)
    for (const projection of [sound, tags]) {
      const progress: Progress[] = []
      const result = await rebuild({ store, pool }, projection, { onProgress: (one) => progress.push(one) })
      expect(result).toMatchObject({ status: 'done', events: 10_000 })
      expect(await liveRows(pool, projection)).toEqual(await rebuiltRows(store, projection))
      expect(new Set(progress.map(({ stage }) => stage))).toEqual(
        new Set(['folding', 'indexing', 'catching up', 'exchanging']),
      )
      const shares = progress.map(({ share }) => share)
      expect(shares).toEqual(shares.toSorted((a, b) => a - b))
      expect(shares.at(-1)).toBe(1)
    }
    const { rows } = await pool.query('select min(moves) as kept from read."visits~previous"')
    expect(rows).toEqual([{ kept: -1 }])
    const { rows: indexes } = await pool.query(`select from pg_indexes where tablename = 'visits'`)
    expect(indexes.length).toBe(3)
    expect(await checkpoint('visits~next')).toBeUndefined()
  })

  it('is noticed by nobody who reads while others write: no error, no missing row, no step back', async () => {
    await history(6_000)
    const feed = await follow()
    const db = await openDatabase(database.url)
    let ended = false
    const acknowledged = new Map<string, number>()
    async function keepWriting(): Promise<void> {
      for (let n = 0; !ended; n++) {
        const id = `w${n % 25}`
        const wasThere = acknowledged.get(id)
        const position = await write(wasThere === undefined ? booked(id) : moved(id))
        await feed.caughtUp(['VisitMoved'], position)
        acknowledged.set(id, (wasThere ?? -1) + 1)
      }
    }
    let reads = 0
    async function keepReading(): Promise<void> {
      const row = z.object({ id: z.string(), moves: z.number() })
      while (!ended) {
        const expected = new Map(acknowledged)
        const rows = await db.any(sql.type(row)`select id, moves from read.visits where id like 'w%'`)
        const found = new Map(rows.map(({ id, moves }) => [id, moves]))
        for (const [id, moves] of expected) expect([id, (found.get(id) ?? -1) >= moves]).toEqual([id, true])
        reads += 1
      }
    }
    const watched = Promise.all([keepWriting(), keepReading(), keepReading(), keepReading()])
    try {
      for (let round = 0; round < 4; round++)
        expect(await rebuild({ store, pool }, sound)).toMatchObject({ status: 'done' })
      expect(await swapBack({ store, pool }, sound)).toMatchObject({ status: 'done' })
    } finally {
      ended = true
    }
    await watched
    await db.end()
    expect(reads).toBeGreaterThan(50)
    expect(acknowledged.size).toBeGreaterThan(5)
    expect(await liveRows(pool, sound)).toEqual(await rebuiltRows(store, sound))
  })

  it('goes on after it was cancelled', async () => {
    await history()
    await follow()
    const stop = new AbortController()
    expect(await rebuild({ store, pool }, sound, { signal: stop.signal, onProgress: () => stop.abort() })).toEqual({
      status: 'cancelled',
    })
    const { position } = await checkpoint('visits~next')
    expect(position > 'pg-').toBe(true)
    expect(await rebuild({ store, pool }, sound)).toMatchObject({ status: 'done', events: 10_000 - 2_000 })
    expect(await liveRows(pool, sound)).toEqual(await rebuiltRows(store, sound))
  })

  it.each(['folding', 'indexing', 'catching up', 'exchanging'])(
    'goes on after it was killed while %s, and holds up nobody',
    async (stage) => {
      await history(9_000)
      const feed = await follow()
      let killing: Promise<unknown> | undefined
      const killed = rebuild({ store, pool }, sound, {
        onProgress(progress) {
          if (progress.stage !== stage || progress.events === 0) return
          killing ??= pool.query(`select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'
                                  and database = (select oid from pg_database where datname = current_database())`)
        },
      })
      await expect(killed).rejects.toThrow(/terminat|closed|queryable/)
      await killing
      await feed.caughtUp(['VisitBooked'], await write(booked('after')))
      expect((await liveRows(pool, sound)).map(({ id }) => id)).toContain('after')
      expect(await rebuild({ store, pool }, sound)).toMatchObject({ status: 'done' })
      expect(await liveRows(pool, sound)).toEqual(await rebuiltRows(store, sound))
    },
  )

  it('is refused while the same read model is being rebuilt, and only then', async () => {
    await history(3_000)
    await follow()
    const both = await Promise.all([
      rebuild({ store, pool }, sound, {
        confirm: async () => (await rebuild({ store, pool }, sound)).status === 'busy',
      }),
      rebuild({ store, pool }, tags),
    ])
    expect(both).toMatchObject([{ status: 'done' }, { status: 'done' }])
  })

  it('changes nothing when the new rows are not wanted', async () => {
    await history(1_000)
    await follow()
    await pool.query('update read.tags set n = -1')
    expect(await rebuild({ store, pool }, tags, { confirm: async () => false })).toEqual({ status: 'declined' })
    expect((await pool.query('select max(n) as n from read.tags')).rows).toEqual([{ n: -1 }])
  })

  it('waits for those who read for long without keeping others waiting behind', async () => {
    await history(500)
    await follow()
    const slow = await pool.connect()
    await slow.query('begin; select count(*) from read.visits')
    const rebuilt = rebuild({ store, pool }, sound)
    let longest = 0
    for (let n = 0; n < 20; n++) {
      const began = performance.now()
      await pool.query('select count(*) from read.visits')
      longest = Math.max(longest, performance.now() - began)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    expect(longest).toBeLessThan(900)
    await slow.query('commit')
    slow.release()
    expect(await rebuilt).toMatchObject({ status: 'done' })
  })

  it('stops at an event that cannot be folded, says which, and leaves it out when that was decided', async () => {
    await follow()
    await history(1_000)
    const position = await write(newEvent('VisitBroken', { id: 'h1' }))
    await write(booked('later'))
    await follow([visits])
    const refused = rebuild({ store, pool }, visits)
    await expect(refused).rejects.toThrow(FoldFailed)
    await expect(refused).rejects.toThrow(`It stops at the event ${position} (VisitBroken: RangeError)`)
    expect(await checkpoint('visits~next')).toMatchObject({ state: 'failed' })
    const broken = (await readEverything(store)).find((event) => event.position === position)
    if (!broken) throw new Error('not written')
    await recordSkip(store, 'visits', broken, { by: 'somebody', why: 'entered twice' })
    await recordSkip(store, 'visits', broken, { by: 'somebody', why: 'entered twice' })
    expect(await rebuild({ store, pool }, visits)).toMatchObject({ status: 'done' })
    expect((await liveRows(pool, visits)).map(({ id }) => id)).toContain('later')
  })

  it('names the event of which nobody can tell what row it is about', async () => {
    await history(5_000)
    const position = await write(newEvent('VisitBroken', { id: 'h1' }))
    await follow()
    const rowOf: typeof visits.rowOf = ({ type, data }) => {
      if (type === 'VisitBroken') throw new TypeError('no row')
      return data.id
    }
    await expect(rebuild({ store, pool }, { ...visits, rowOf }, { mostBytes: 1 })).rejects.toThrow(
      `It stops at the event ${position} (VisitBroken: TypeError)`,
    )
  })

  it('finds the event whose row the database refuses', async () => {
    await history(300)
    await follow()
    const position = await write(booked('bad', { day: 'no day' }))
    await write(booked('good'))
    await expect(rebuild({ store, pool }, sound)).rejects.toThrow(position)
  })

  it('writes on the way what there is no room for, with rows that go on changing', async () => {
    await history()
    await follow()
    const seen: Promise<{ position: string | null }>[] = []
    const onProgress = ({ stage }: Progress) => stage === 'folding' && seen.push(checkpoint('visits~next'))
    expect(await rebuild({ store, pool }, sound, { onProgress, mostBytes: 1 })).toMatchObject({ events: 10_000 })
    expect((await Promise.all(seen)).some((row) => row.position !== null)).toBe(true)
    expect(await liveRows(pool, sound)).toEqual(await rebuiltRows(store, sound))
  })
})
