import { sql } from 'slonik'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { openDatabase } from '#projections/database.ts'
import { type Progress, rebuild, swapBack } from '#projections/rebuild.ts'
import { FoldFailed } from '#projections/shadow.ts'
import { recordSkip } from '#projections/skips.ts'
import { newEvent, readEverything } from '#tests/support/events.ts'
import { liveRows, rebuiltRows } from '#tests/support/rebuild.ts'
import { rebuildHouse } from '#tests/support/rebuild-house.ts'
import { until } from '#tests/support/until.ts'
import { booked, moved, sound, tags, visits } from '#tests/support/visits.ts'

describe('a rebuild', () => {
  const house = rebuildHouse()
  const { follow, write, history, checkpoint } = house

  it('leaves exactly what follows from the record, and keeps the table of before', async () => {
    await history()
    await follow()
    await house.pool.query(`update read.visits set moves = -1; delete from read.tags`)
    for (const projection of [sound, tags]) {
      const progress: Progress[] = []
      const result = await rebuild(house, projection, { onProgress: (one) => progress.push(one) })
      expect(result).toMatchObject({ status: 'done', events: 10_000 })
      expect(await liveRows(house.pool, projection)).toEqual(await rebuiltRows(house.store, projection))
      expect(new Set(progress.map(({ stage }) => stage))).toEqual(
        new Set(['folding', 'indexing', 'catching up', 'exchanging']),
      )
      const shares = progress.map(({ share }) => share)
      expect(shares).toEqual(shares.toSorted((a, b) => a - b))
      expect(shares.at(-1)).toBe(1)
    }
    const { rows } = await house.pool.query('select min(moves) as kept from read."visits~previous"')
    expect(rows).toEqual([{ kept: -1 }])
    const { rows: indexes } = await house.pool.query(`select from pg_indexes where tablename = 'visits'`)
    expect(indexes.length).toBe(3)
    expect(await checkpoint('visits~next')).toBeUndefined()
  })

  it('is noticed by nobody who reads while others write: no error, no missing row, no step back', async () => {
    await history(6_000)
    const feed = await follow()
    const db = await openDatabase(house.database.url)
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
      // Until enough was read and written beside it to notice anything.
      for (let round = 0; round < 4 || reads <= 50 || acknowledged.size <= 5; round++)
        expect(await rebuild(house, sound)).toMatchObject({ status: 'done' })
      expect(await swapBack(house, sound)).toMatchObject({ status: 'done' })
    } finally {
      ended = true
    }
    await watched
    await db.end()
    expect(await liveRows(house.pool, sound)).toEqual(await rebuiltRows(house.store, sound))
  })

  it('goes on after it was cancelled', async () => {
    await history()
    await follow()
    const stop = new AbortController()
    expect(await rebuild(house, sound, { signal: stop.signal, onProgress: () => stop.abort() })).toEqual({
      status: 'cancelled',
    })
    const { position } = await checkpoint('visits~next')
    expect(position > 'pg-').toBe(true)
    expect(await rebuild(house, sound)).toMatchObject({ status: 'done', events: 10_000 - 2_000 })
    expect(await liveRows(house.pool, sound)).toEqual(await rebuiltRows(house.store, sound))
  })

  it.each(['folding', 'indexing', 'catching up', 'exchanging'])(
    'goes on after it was killed while %s, and holds up nobody',
    async (stage) => {
      await history(9_000)
      const feed = await follow()
      // Whoever reads holds the exchange up, so that it cannot be over before the kill arrives.
      const reader = await house.pool.connect()
      await reader.query('begin; select count(*) from read.visits')
      let killing: Promise<unknown> | undefined
      const killed = rebuild(house, sound, {
        onProgress(progress) {
          if (progress.stage !== stage || progress.events === 0) return
          killing ??= house.pool.query(`select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'
                                  and database = (select oid from pg_database where datname = current_database())`)
        },
      })
      await expect(killed).rejects.toThrow(/terminat|closed|queryable/)
      await killing
      await reader.query('commit')
      reader.release()
      await feed.caughtUp(['VisitBooked'], await write(booked('after')))
      expect((await liveRows(house.pool, sound)).map(({ id }) => id)).toContain('after')
      expect(await rebuild(house, sound)).toMatchObject({ status: 'done' })
      expect(await liveRows(house.pool, sound)).toEqual(await rebuiltRows(house.store, sound))
    },
  )

  it('is refused while the same read model is being rebuilt, and only then', async () => {
    await history(3_000)
    await follow()
    const both = await Promise.all([
      rebuild(house, sound, {
        confirm: async () => (await rebuild(house, sound)).status === 'busy',
      }),
      rebuild(house, tags),
    ])
    expect(both).toMatchObject([{ status: 'done' }, { status: 'done' }])
  })

  it('changes nothing when the new rows are not wanted', async () => {
    await history(1_000)
    await follow()
    await house.pool.query('update read.tags set n = -1')
    expect(await rebuild(house, tags, { confirm: async () => false })).toEqual({ status: 'declined' })
    expect((await house.pool.query('select max(n) as n from read.tags')).rows).toEqual([{ n: -1 }])
    // Somebody else has done it in the moment before.
    await house.pool.query('delete from read.checkpoints where name = $1', ['tags~next'])
    expect(await rebuild(house, tags, { isWanted: async () => false })).toEqual({ status: 'declined' })
    expect(await checkpoint('tags~next')).toBeUndefined()
  })

  it('waits for those who read for long without keeping others waiting behind', async () => {
    await history(500)
    await follow()
    const slow = await house.pool.connect()
    await slow.query('begin; select count(*) from read.visits')
    const rebuilt = rebuild(house, sound)
    const exchangeWaits = async () => {
      const { rows } = await house.pool.query<{ waits: boolean }>(
        `select exists (select from pg_locks where relation = 'read.visits'::regclass and not granted
           and mode = 'AccessExclusiveLock') as waits`,
      )
      return rows[0]?.waits ?? false
    }
    // A new read queues behind the exchange, which has to give up its place: the slow reader stays until the end.
    for (let n = 0; n < 5; n++) {
      await until(exchangeWaits)
      await house.pool.query('select count(*) from read.visits')
    }
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
    const refused = rebuild(house, visits)
    await expect(refused).rejects.toThrow(FoldFailed)
    await expect(refused).rejects.toThrow(`It stops at the event ${position} (VisitBroken: RangeError)`)
    expect(await checkpoint('visits~next')).toMatchObject({ state: 'failed' })
    const broken = (await readEverything(house.store)).find((event) => event.position === position)
    if (!broken) throw new Error('not written')
    await recordSkip(house.store, 'visits', broken, { by: 'somebody', why: 'entered twice' })
    await recordSkip(house.store, 'visits', broken, { by: 'somebody', why: 'entered twice' })
    expect(await rebuild(house, visits)).toMatchObject({ status: 'done' })
    expect((await liveRows(house.pool, visits)).map(({ id }) => id)).toContain('later')
  })

  it('names the event of which nobody can tell what row it is about', async () => {
    await history(5_000)
    const position = await write(newEvent('VisitBroken', { id: 'h1' }))
    await follow()
    const rowOf: typeof visits.rowOf = ({ type, data }) => {
      if (type === 'VisitBroken') throw new TypeError('no row')
      return data.id
    }
    await expect(rebuild(house, { ...visits, rowOf }, { mostBytes: 1 })).rejects.toThrow(
      `It stops at the event ${position} (VisitBroken: TypeError)`,
    )
  })

  it('finds the event whose row the database refuses', async () => {
    await history(300)
    await follow()
    const position = await write(booked('bad', { day: 'no day' }))
    await write(booked('good'))
    await expect(rebuild(house, sound)).rejects.toThrow(position)
  })

  it('writes on the way what there is no room for, with rows that go on changing', async () => {
    await history()
    await follow()
    const seen: Promise<{ position: string | null }>[] = []
    const onProgress = ({ stage }: Progress) => stage === 'folding' && seen.push(checkpoint('visits~next'))
    expect(await rebuild(house, sound, { onProgress, mostBytes: 1 })).toMatchObject({ events: 10_000 })
    expect((await Promise.all(seen)).some((row) => row.position !== null)).toBe(true)
    expect(await liveRows(house.pool, sound)).toEqual(await rebuiltRows(house.store, sound))
  })
})
