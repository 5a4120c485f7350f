import { sql } from 'slonik'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { openDatabase } from '#database/pool.ts'
import { type Progress, rebuild, swapBack } from '#projections/rebuild/rebuild.ts'
import { FoldFailed } from '#projections/rebuild/shadow.ts'
import { recordSkip } from '#projections/skips.ts'
import { newEvent, readAllEvents } from '#tests/support/events.ts'
import { readTableRows, foldRows } from '#tests/support/rebuild.ts'
import { useRebuildFixture } from '#tests/support/rebuild-house.ts'
import { waitUntil } from '#tests/support/until.ts'
import {
  appointmentBooked,
  appointmentMoved,
  validAppointments,
  tags,
  appointments,
} from '#tests/support/appointments.ts'

describe('a rebuild', () => {
  const house = useRebuildFixture()
  const { follow, write, history, checkpoint } = house

  it('leaves exactly what follows from the record, and keeps the table of before', async () => {
    await history()
    await follow()
    await house.pool.query(`update read.appointments set moves = -1; delete from read.tags`)
    for (const projection of [validAppointments, tags]) {
      const progress: Progress[] = []
      const result = await rebuild(house, projection, { onProgress: (one) => progress.push(one) })
      expect(result).toMatchObject({ status: 'done', events: 10_000 })
      expect(await readTableRows(house.pool, projection)).toEqual(await foldRows(house.store, projection))
      expect(new Set(progress.map(({ stage }) => stage))).toEqual(
        new Set(['folding', 'indexing', 'catching up', 'exchanging']),
      )
      const shares = progress.map(({ share }) => share)
      expect(shares).toEqual(shares.toSorted((a, b) => a - b))
      expect(shares.at(-1)).toBe(1)
    }
    const { rows } = await house.pool.query('select min(moves) as kept from read."appointments~previous"')
    expect(rows).toEqual([{ kept: -1 }])
    const { rows: indexes } = await house.pool.query(`select from pg_indexes where tablename = 'appointments'`)
    expect(indexes.length).toBe(3)
    expect(await checkpoint('appointments~next')).toBeUndefined()
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
        const position = await write(wasThere === undefined ? appointmentBooked(id) : appointmentMoved(id))
        await feed.waitUntilCaughtUp(['AppointmentMoved'], position)
        acknowledged.set(id, (wasThere ?? -1) + 1)
      }
    }
    let reads = 0
    async function keepReading(): Promise<void> {
      const row = z.object({ id: z.string(), moves: z.number() })
      while (!ended) {
        const expected = new Map(acknowledged)
        const rows = await db.any(sql.type(row)`select id, moves from read.appointments where id like 'w%'`)
        const found = new Map(rows.map(({ id, moves }) => [id, moves]))
        for (const [id, moves] of expected) expect([id, (found.get(id) ?? -1) >= moves]).toEqual([id, true])
        reads += 1
      }
    }
    const watched = Promise.all([keepWriting(), keepReading(), keepReading(), keepReading()])
    try {
      // Until enough was read and written beside it to notice anything.
      for (let round = 0; round < 4 || reads <= 50 || acknowledged.size <= 5; round++)
        expect(await rebuild(house, validAppointments)).toMatchObject({ status: 'done' })
      expect(await swapBack(house, validAppointments)).toMatchObject({ status: 'done' })
    } finally {
      ended = true
    }
    await watched
    await db.end()
    expect(await readTableRows(house.pool, validAppointments)).toEqual(await foldRows(house.store, validAppointments))
  })

  it('goes on after it was cancelled', async () => {
    await history()
    await follow()
    const stop = new AbortController()
    expect(await rebuild(house, validAppointments, { signal: stop.signal, onProgress: () => stop.abort() })).toEqual({
      status: 'cancelled',
    })
    const { position } = await checkpoint('appointments~next')
    expect(position > 'pg-').toBe(true)
    expect(await rebuild(house, validAppointments)).toMatchObject({ status: 'done', events: 10_000 - 2_000 })
    expect(await readTableRows(house.pool, validAppointments)).toEqual(await foldRows(house.store, validAppointments))
  })

  it.each(['folding', 'indexing', 'catching up', 'exchanging'])(
    'goes on after it was killed while %s, and holds up nobody',
    async (stage) => {
      await history(9_000)
      const feed = await follow()
      // Whoever reads holds the exchange up, so that it cannot be over before the kill arrives.
      const reader = await house.pool.connect()
      await reader.query('begin; select count(*) from read.appointments')
      let killing: Promise<unknown> | undefined
      const killed = rebuild(house, validAppointments, {
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
      await feed.waitUntilCaughtUp(['AppointmentBooked'], await write(appointmentBooked('after')))
      expect((await readTableRows(house.pool, validAppointments)).map(({ id }) => id)).toContain('after')
      expect(await rebuild(house, validAppointments)).toMatchObject({ status: 'done' })
      expect(await readTableRows(house.pool, validAppointments)).toEqual(await foldRows(house.store, validAppointments))
    },
  )

  it('is refused while the same read model is being rebuilt, and only then', async () => {
    await history(3_000)
    await follow()
    const both = await Promise.all([
      rebuild(house, validAppointments, {
        confirm: async () => (await rebuild(house, validAppointments)).status === 'busy',
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
    await slow.query('begin; select count(*) from read.appointments')
    const rebuilt = rebuild(house, validAppointments)
    const exchangeWaits = async () => {
      const { rows } = await house.pool.query<{ waits: boolean }>(
        `select exists (select from pg_locks where relation = 'read.appointments'::regclass and not granted
           and mode = 'AccessExclusiveLock') as waits`,
      )
      return rows[0]?.waits ?? false
    }
    // A new read queues behind the exchange, which has to give up its place: the slow reader stays until the end.
    for (let n = 0; n < 5; n++) {
      await waitUntil(exchangeWaits)
      await house.pool.query('select count(*) from read.appointments')
    }
    await slow.query('commit')
    slow.release()
    expect(await rebuilt).toMatchObject({ status: 'done' })
  })

  it('stops at an event that cannot be folded, says which, and leaves it out when that was decided', async () => {
    await follow()
    await history(1_000)
    const position = await write(newEvent('AppointmentBroken', { id: 'h1' }))
    await write(appointmentBooked('later'))
    await follow([appointments])
    const refused = rebuild(house, appointments)
    await expect(refused).rejects.toThrow(FoldFailed)
    await expect(refused).rejects.toThrow(`It stops at the event ${position} (AppointmentBroken: RangeError)`)
    expect(await checkpoint('appointments~next')).toMatchObject({ state: 'failed' })
    const broken = (await readAllEvents(house.store)).find((event) => event.position === position)
    if (!broken) throw new Error('not written')
    await recordSkip(house.store, 'appointments', broken, { by: 'somebody', why: 'entered twice' })
    await recordSkip(house.store, 'appointments', broken, { by: 'somebody', why: 'entered twice' })
    expect(await rebuild(house, appointments)).toMatchObject({ status: 'done' })
    expect((await readTableRows(house.pool, appointments)).map(({ id }) => id)).toContain('later')
  })

  it('names the event of which nobody can tell what row it is about', async () => {
    await history(5_000)
    const position = await write(newEvent('AppointmentBroken', { id: 'h1' }))
    await follow()
    const rowOf: typeof appointments.rowOf = ({ type, data }) => {
      if (type === 'AppointmentBroken') throw new TypeError('no row')
      return data.id
    }
    await expect(rebuild(house, { ...appointments, rowOf }, { maxBufferedBytes: 1 })).rejects.toThrow(
      `It stops at the event ${position} (AppointmentBroken: TypeError)`,
    )
  })

  it('finds the event whose row the database refuses', async () => {
    await history(300)
    await follow()
    const position = await write(appointmentBooked('bad', { day: 'no day' }))
    await write(appointmentBooked('good'))
    await expect(rebuild(house, validAppointments)).rejects.toThrow(position)
  })

  it('writes on the way what there is no room for, with rows that go on changing', async () => {
    await history()
    await follow()
    const seen: Promise<{ position: string | null }>[] = []
    const onProgress = ({ stage }: Progress) => stage === 'folding' && seen.push(checkpoint('appointments~next'))
    expect(await rebuild(house, validAppointments, { onProgress, maxBufferedBytes: 1 })).toMatchObject({
      events: 10_000,
    })
    expect((await Promise.all(seen)).some((row) => row.position !== null)).toBe(true)
    expect(await readTableRows(house.pool, validAppointments)).toEqual(await foldRows(house.store, validAppointments))
  })
})
