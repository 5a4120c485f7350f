import { sql } from 'slonik'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { openDatabase } from '#database/pool.ts'
import { type Progress, rebuild, swapBack } from '#projections/rebuild/rebuild.ts'
import { FoldFailed } from '#projections/rebuild/shadow.ts'
import { recordSkip } from '#projections/skips.ts'
import { newEvent, readAllEvents } from '#tests/support/events.ts'
import { readTableRows, foldRows } from '#tests/support/rebuild.ts'
import { useRebuildFixture } from '#tests/support/rebuild-fixture.ts'
import { waitUntil } from '#tests/support/wait-until.ts'
import {
  appointmentBooked,
  appointmentMoved,
  validAppointments,
  tags,
  appointments,
} from '#tests/support/appointments.ts'
import { itLong, someOf } from '#tests/support/long.ts'

describe('a rebuild', () => {
  const fixture = useRebuildFixture()
  const { startRunner, write, writeHistory, checkpoint } = fixture

  itLong('leaves exactly the rows that follow from the events, and keeps the previous table', async () => {
    await writeHistory()
    await startRunner()
    await fixture.pool.query(`update read.appointments set moves = -1; delete from read.tags`)
    for (const projection of [validAppointments, tags]) {
      const progress: Progress[] = []
      const result = await rebuild(fixture, projection, { onProgress: (one) => progress.push(one) })
      expect(result).toMatchObject({ status: 'done', events: 10_000 })
      expect(await readTableRows(fixture.pool, projection)).toEqual(await foldRows(fixture.store, projection))
      expect(new Set(progress.map(({ stage }) => stage))).toEqual(
        new Set(['folding', 'indexing', 'catching up', 'swapping']),
      )
      const shares = progress.map(({ share }) => share)
      expect(shares).toEqual(shares.toSorted((a, b) => a - b))
      expect(shares.at(-1)).toBe(1)
    }
    const { rows } = await fixture.pool.query('select min(moves) as moves from read."appointments~previous"')
    expect(rows).toEqual([{ moves: -1 }])
    const { rows: indexes } = await fixture.pool.query(`select from pg_indexes where tablename = 'appointments'`)
    expect(indexes.length).toBe(3)
    expect(await checkpoint('appointments~next')).toBeUndefined()
  })

  itLong('does not affect readers while others write: no error, no missing row, no older row', async () => {
    await writeHistory(6_000)
    const runner = await startRunner()
    const db = await openDatabase(fixture.database.url)
    let ended = false
    const acknowledged = new Map<string, number>()
    async function keepWriting(): Promise<void> {
      for (let n = 0; !ended; n++) {
        const id = `w${n % 25}`
        const wasThere = acknowledged.get(id)
        const position = await write(wasThere === undefined ? appointmentBooked(id) : appointmentMoved(id))
        await runner.waitUntilCaughtUp(['AppointmentMoved'], position)
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
      // Until there were enough concurrent reads and writes to notice an error.
      for (let round = 0; round < 4 || reads <= 50 || acknowledged.size <= 5; round++)
        expect(await rebuild(fixture, validAppointments)).toMatchObject({ status: 'done' })
      expect(await swapBack(fixture, validAppointments)).toMatchObject({ status: 'done' })
    } finally {
      ended = true
    }
    await watched
    await db.end()
    expect(await readTableRows(fixture.pool, validAppointments)).toEqual(
      await foldRows(fixture.store, validAppointments),
    )
  })

  itLong('continues after it was cancelled', async () => {
    await writeHistory()
    await startRunner()
    const stop = new AbortController()
    expect(await rebuild(fixture, validAppointments, { signal: stop.signal, onProgress: () => stop.abort() })).toEqual({
      status: 'cancelled',
    })
    const { position } = await checkpoint('appointments~next')
    expect(position > 'pg-').toBe(true)
    expect(await rebuild(fixture, validAppointments)).toMatchObject({ status: 'done', events: 10_000 - 2_000 })
    expect(await readTableRows(fixture.pool, validAppointments)).toEqual(
      await foldRows(fixture.store, validAppointments),
    )
  })

  it.each(someOf(['folding', 'swapping', 'indexing', 'catching up'], 2))(
    'continues after it was killed while %s, and blocks no one in between',
    async (stage) => {
      await writeHistory(9_000)
      const runner = await startRunner()
      // A reader blocks the swap, so that it is not over before the kill.
      const reader = await fixture.pool.connect()
      await reader.query('begin; select count(*) from read.appointments')
      let killing: Promise<unknown> | undefined
      const killed = rebuild(fixture, validAppointments, {
        onProgress(progress) {
          if (progress.stage !== stage || progress.events === 0) return
          killing ??= fixture.pool.query(`select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'
                                  and database = (select oid from pg_database where datname = current_database())`)
        },
      })
      await expect(killed).rejects.toThrow(/terminat|closed|queryable|ECONNRESET|EPIPE/)
      await killing
      await reader.query('commit')
      reader.release()
      await runner.waitUntilCaughtUp(['AppointmentBooked'], await write(appointmentBooked('after')))
      expect((await readTableRows(fixture.pool, validAppointments)).map(({ id }) => id)).toContain('after')
      expect(await rebuild(fixture, validAppointments)).toMatchObject({ status: 'done' })
      expect(await readTableRows(fixture.pool, validAppointments)).toEqual(
        await foldRows(fixture.store, validAppointments),
      )
    },
  )

  itLong('is refused while the same projection is being rebuilt, and only then', async () => {
    await writeHistory(3_000)
    await startRunner()
    const both = await Promise.all([
      rebuild(fixture, validAppointments, {
        confirm: async () => (await rebuild(fixture, validAppointments)).status === 'busy',
      }),
      rebuild(fixture, tags),
    ])
    expect(both).toMatchObject([{ status: 'done' }, { status: 'done' }])
  })

  it('changes nothing when the swap is declined', async () => {
    await writeHistory(1_000)
    await startRunner()
    await fixture.pool.query('update read.tags set n = -1')
    expect(await rebuild(fixture, tags, { confirm: async () => false })).toEqual({ status: 'declined' })
    expect((await fixture.pool.query('select max(n) as n from read.tags')).rows).toEqual([{ n: -1 }])
    // Another process has rebuilt it a moment before.
    await fixture.pool.query('delete from read.checkpoints where name = $1', ['tags~next'])
    expect(await rebuild(fixture, tags, { isWanted: async () => false })).toEqual({ status: 'declined' })
    expect(await checkpoint('tags~next')).toBeUndefined()
  })

  itLong('waits for long-running readers without blocking others behind them', async () => {
    await writeHistory(500)
    await startRunner()
    const slow = await fixture.pool.connect()
    await slow.query('begin; select count(*) from read.appointments')
    const rebuilt = rebuild(fixture, validAppointments)
    const isSwapWaiting = async () => {
      const { rows } = await fixture.pool.query<{ waits: boolean }>(
        `select exists (select from pg_locks where relation = 'read.appointments'::regclass and not granted
           and mode = 'AccessExclusiveLock') as waits`,
      )
      return rows[0]?.waits ?? false
    }
    // A new read queues behind the swap, which has to release its place: the slow reader stays until the end.
    for (let n = 0; n < 5; n++) {
      await waitUntil(isSwapWaiting)
      await fixture.pool.query('select count(*) from read.appointments')
    }
    await slow.query('commit')
    slow.release()
    expect(await rebuilt).toMatchObject({ status: 'done' })
  })

  it('fails at an event that cannot be folded, names it, and leaves it out once it is skipped', async () => {
    await startRunner()
    await writeHistory(1_000)
    const position = await write(newEvent('AppointmentBroken', { id: 'h1' }))
    await write(appointmentBooked('later'))
    await startRunner([appointments])
    const refused = rebuild(fixture, appointments)
    await expect(refused).rejects.toThrow(FoldFailed)
    await expect(refused).rejects.toThrow(`Failed at event ${position} (AppointmentBroken: RangeError)`)
    expect(await checkpoint('appointments~next')).toMatchObject({ state: 'failed' })
    const broken = (await readAllEvents(fixture.store)).find((event) => event.position === position)
    if (!broken) throw new Error('not written')
    await recordSkip(fixture.store, 'appointments', broken, { by: 'operator', why: 'entered twice' })
    await recordSkip(fixture.store, 'appointments', broken, { by: 'operator', why: 'entered twice' })
    expect(await rebuild(fixture, appointments)).toMatchObject({ status: 'done' })
    expect((await readTableRows(fixture.pool, appointments)).map(({ id }) => id)).toContain('later')
  })

  itLong('names an event whose row key cannot be computed', async () => {
    await writeHistory(5_000)
    const position = await write(newEvent('AppointmentBroken', { id: 'h1' }))
    await startRunner()
    const rowOf: typeof appointments.rowOf = ({ type, data }) => {
      if (type === 'AppointmentBroken') throw new TypeError('no row')
      return data.id
    }
    await expect(rebuild(fixture, { ...appointments, rowOf }, { maxBufferedBytes: 1 })).rejects.toThrow(
      `Failed at event ${position} (AppointmentBroken: TypeError)`,
    )
  })

  itLong('finds the event whose row the database refuses', async () => {
    await writeHistory(300)
    await startRunner()
    const position = await write(appointmentBooked('bad', { day: 'no day' }))
    await write(appointmentBooked('good'))
    await expect(rebuild(fixture, validAppointments)).rejects.toThrow(position)
  })

  itLong('writes rows early when memory is limited, although they change again', async () => {
    await writeHistory()
    await startRunner()
    const seen: Promise<{ position: string | null }>[] = []
    const onProgress = ({ stage }: Progress) => stage === 'folding' && seen.push(checkpoint('appointments~next'))
    expect(await rebuild(fixture, validAppointments, { onProgress, maxBufferedBytes: 1 })).toMatchObject({
      events: 10_000,
    })
    expect((await Promise.all(seen)).some((row) => row.position !== null)).toBe(true)
    expect(await readTableRows(fixture.pool, validAppointments)).toEqual(
      await foldRows(fixture.store, validAppointments),
    )
  })
})
