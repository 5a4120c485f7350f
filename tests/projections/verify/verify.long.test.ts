import { pino } from 'pino'
import type { Pool } from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { NewEvent } from '#eventstore/event.ts'
import { type PostgresStore, openPostgresStore } from '#eventstore/postgres/store.ts'
import { foldAsOf } from '#projections/as-of.ts'
import { listDifferingColumns, compareWithShadow, type Difference } from '#projections/verify/differences.ts'
import { createProjectionRunner, type ProjectionRunner } from '#projections/runner/runner.ts'
import { rebuild } from '#projections/rebuild/rebuild.ts'
import { recordSkip } from '#projections/skips.ts'
import { verifyProjection } from '#projections/verify/verify.ts'
import { endlessTimeouts } from '#tests/support/endless-timeouts.ts'
import { newEvent, readStream } from '#tests/support/events.ts'
import { readTableRows } from '#tests/support/rebuild.ts'
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
let runner: ProjectionRunner

beforeEach(async () => {
  database = await createTestDatabase()
  pool = openTestPool(database.url, 20)
  store = await openPostgresStore(pool)
  runner = createProjectionRunner({
    store,
    pool,
    projections: [validAppointments, tags],
    logger: pino({ level: 'silent' }),
    catchUpTimeoutMs: endlessTimeouts.catchUpMs,
  })
})
afterEach(async () => {
  await runner.stop()
  await store.close()
  await pool.end()
  await database.drop()
})

async function write(...events: NewEvent[]): Promise<string> {
  const appended = await store.append(`appointment-${crypto.randomUUID()}`, 'no-stream', events)
  if (appended.status !== 'appended') throw new Error(appended.status)
  return appended.position
}

async function writeHistory(): Promise<void> {
  const events = Array.from({ length: 900 }, (_, n) =>
    n % 4 === 0
      ? appointmentMoved(`v${n % 200}`)
      : appointmentBooked(`v${n % 200}`, { tags: [`t${n % 30}`, `t${n % 7}`] }),
  )
  await write(...events)
  await runner.start()
}

async function findDifferences(projection: typeof validAppointments | typeof tags, maxRows?: number) {
  const found: Difference[] = []
  const result = await verifyProjection({ store, pool }, projection, {
    onDifference: (one) => found.push(one),
    ...(maxRows === undefined ? {} : { maxRows }),
  })
  expect(result.differences).toBe(found.length)
  return { ...result, found: found.toSorted((a, b) => (a.key < b.key ? -1 : 1)) }
}

describe('a verification', () => {
  it.each([[undefined], [60]])('finds nothing when every row is right, while others write', async (maxRows) => {
    await writeHistory()
    let ended = false
    let written = 0
    let last = ''
    const writing = (async () => {
      for (; !ended; written++)
        last = await write(appointmentBooked(`w${written}`), appointmentMoved(`v${written % 200}`))
    })()
    for (let round = 0; round < 3 || written < 60; round++) {
      expect(await findDifferences(validAppointments, maxRows)).toMatchObject({ differences: 0 })
      expect(await findDifferences(tags, maxRows)).toMatchObject({ differences: 0 })
    }
    ended = true
    await writing
    await runner.waitUntilCaughtUp(['AppointmentBooked', 'AppointmentMoved'], last)
    const { rows, events } = await findDifferences(validAppointments, maxRows)
    expect([rows, events]).toEqual([150 + written, 900 + 2 * written])
  })

  it.each([[undefined], [60]])('finds every row that differs', async (maxRows) => {
    await writeHistory()
    await pool.query(`
      update read.appointments set moves = moves + 1 where id = 'v5';
      update read.appointments set tags = tags || 'x'::text, extra = '{}' where id = 'v6';
      delete from read.appointments where id = 'v7';
      insert into read.appointments (id, moves) values ('v999', 3)`)
    const { found } = await findDifferences(validAppointments, maxRows)
    expect(found.map((one) => [one.key, one.found === null, one.expected === null])).toEqual([
      ['v5', false, false],
      ['v6', false, false],
      ['v7', true, false],
      ['v999', false, true],
    ])
    expect(found.map(listDifferingColumns).slice(0, 2)).toEqual([['moves'], ['tags', 'extra']])
    expect(await findDifferences(tags, maxRows)).toMatchObject({ differences: 0 })
  })

  it('ends when it is aborted', async () => {
    await writeHistory()
    const signal = AbortSignal.abort(new Error('aborted'))
    await expect(verifyProjection({ store, pool }, validAppointments, { signal })).rejects.toThrow('aborted')
  })

  it('requires the version of the table', async () => {
    await writeHistory()
    await expect(verifyProjection({ store, pool }, { ...validAppointments, version: 2 })).rejects.toThrow(
      'not of version 2',
    )
  })
})

describe('a comparison with the shadow table', () => {
  it('reports what a swap would change, without events in flight', async () => {
    await writeHistory()
    await pool.query(`
      update read.tags set n = 0 where tag = 't3'; delete from read.tags where tag = 't4';
      insert into read.tags values ('t99', 1)`)
    const found: Difference[] = []
    const confirm = async () => {
      const position = await write(appointmentBooked('in-flight', { tags: ['t20', 't98'] }))
      await runner.waitUntilCaughtUp(['AppointmentBooked'], position)
      await compareWithShadow({ store, pool }, tags, (one) => found.push(one))
      return true
    }
    expect(await rebuild({ store, pool }, tags, { confirm })).toMatchObject({ status: 'done' })
    expect(found.map(({ key }) => key).toSorted()).toEqual(['t3', 't4', 't99'])
    expect(await findDifferences(tags)).toMatchObject({ differences: 0 })
  })

  it('reports every row when the columns differ', async () => {
    await writeHistory()
    const renamed = { ...tags, version: 2, columns: { ...tags.columns, n: 'int8' as const } }
    const wider = { ...renamed, columns: { ...renamed.columns, more: 'text' as const } } as unknown as typeof tags
    for (const [raised, expected] of [
      [renamed, 0],
      [wider, (await readTableRows(pool, tags)).length],
    ] as const) {
      let count = -1
      const confirm = async () => {
        count = await compareWithShadow({ store, pool }, raised, () => undefined)
        return false
      }
      await rebuild({ store, pool }, { ...raised, version: raised.version + expected }, { confirm })
      expect(count).toBe(expected)
    }
  })
})

describe('a fold as of an earlier time', () => {
  const at = (event: NewEvent, instant: string): NewEvent => ({
    ...event,
    metadata: { ...event.metadata, at: instant },
  })

  it('returns the rows of one stream as they were then', async () => {
    await store.append('appointment-1', 'no-stream', [
      at(appointmentBooked('a'), '2026-11-20T08:00:00.000Z'),
      at(appointmentMoved('a', '2026-11-25'), '2026-11-20T09:00:00.000Z'),
      at(newEvent('AppointmentCancelled', { id: 'a' }), '2026-11-20T10:00:00.000Z'),
    ])
    const days = async (moment: Parameters<typeof foldAsOf>[3]) =>
      [...(await foldAsOf(store, validAppointments, 'appointment-1', moment)).values()].map(({ day }) => day)
    const positions = (await readStream(store, 'appointment-1')).map(({ position }) => position)
    expect(await Promise.all(positions.map((position) => days({ position })))).toEqual([
      ['2026-11-20'],
      ['2026-11-25'],
      [],
    ])
    expect(await days({ at: '2026-11-20T07:59:59.999Z' })).toEqual([])
    expect(await days({ at: '2026-11-20T08:00:00.000Z' })).toEqual(['2026-11-20'])
    expect(await days({ at: '2026-11-20T04:30:00.000-05:00' })).toEqual(['2026-11-25'])
    expect(await days({ at: '2026-11-20T10:00:00.000Z' })).toEqual([])
    await expect(days({ at: 'yesterday' })).rejects.toThrow(RangeError)
  })

  it('leaves out skipped events', async () => {
    await store.append('appointment-2', 'no-stream', [
      appointmentBooked('b'),
      newEvent('AppointmentBroken', { id: 'b' }),
      appointmentMoved('b'),
    ])
    const events = await readStream(store, 'appointment-2')
    const last = { position: events.at(-1)?.position ?? '' }
    await expect(foldAsOf(store, appointments, 'appointment-2', last)).rejects.toThrow(RangeError)
    const [, broken] = events
    if (broken) await recordSkip(store, 'appointments', broken, { by: 'operator', why: 'a test' })
    expect((await foldAsOf(store, appointments, 'appointment-2', last)).get('b')).toMatchObject({ moves: 1 })
  })
})
