import { pino } from 'pino'
import type { Pool } from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { NewEvent } from '#eventstore/event.ts'
import { ForeignPosition } from '#eventstore/event-store.ts'
import { type EventStoreDbStore, openEventStoreDb } from '#eventstore/kurrentdb/store.ts'
import { createProjectionRunner, type ProjectionRunner } from '#projections/runner/runner.ts'
import { resetForMovedStore } from '#projections/rebuild/reset-for-moved-store.ts'
import type { AnyProjection } from '#projections/projection.ts'
import {
  appointmentMoved as movedAppointment,
  validAppointments,
  appointments,
  appointmentBooked,
} from '#tests/support/appointments.ts'
import { createTestDatabase, type TestDatabase, openTestPool } from '#tests/support/test-database.ts'
import { startWireServer, type WireServer } from '#tests/support/wire/server.ts'

let database: TestDatabase
let pool: Pool
let servers: WireServer[]
let stores: EventStoreDbStore[]
let runners: ProjectionRunner[]

beforeEach(async () => {
  database = await createTestDatabase()
  pool = openTestPool(database.url, 10)
  servers = []
  stores = []
  runners = []
})
afterEach(async () => {
  for (const runner of runners) await runner.stop()
  for (const store of stores) await store.close()
  for (const server of servers) await server.stop()
  await pool.end()
  await database.drop()
})

/** Events that are always the same, byte by byte, except for their ids. */
const history = () =>
  Array.from({ length: 12 }, (_, n) => appointmentBooked(`v${n % 10}`, { day: `2026-12-${10 + n}` }))

/** Starts an EventStoreDB with these events, written one by one, so that equal histories have equal positions. */
async function startServerWith(events: readonly NewEvent[]): Promise<{ server: WireServer; store: EventStoreDbStore }> {
  const server = await startWireServer()
  const store = openEventStoreDb(server.url, { callTimeoutMs: 10_000 })
  servers.push(server)
  stores.push(store)
  for (const [n, event] of events.entries())
    await store.append('appointments', n === 0 ? 'no-stream' : BigInt(n - 1), [event])
  return { server, store }
}

function createRunner(
  store: EventStoreDbStore,
  projections: readonly AnyProjection[] = [appointments],
  onForeignStore?: (error: ForeignPosition) => void,
) {
  const runner = createProjectionRunner({
    store,
    pool,
    projections,
    logger: pino({ level: 'silent' }),
    onForeignStore,
  })
  runners.push(runner)
  return runner
}

/** Catches up with a store and stops. */
async function catchUpWith(store: EventStoreDbStore, projections?: readonly AnyProjection[]): Promise<void> {
  const runner = createRunner(store, projections)
  await runner.start()
  await runner.stop()
}

const rows = async () => (await pool.query('select id, day::text, moves from read.appointments order by id')).rows
const tables = async () =>
  (await pool.query<{ name: string }>(`select tablename as name from pg_tables where schemaname = 'read'`)).rows
    .map(({ name }) => name)
    .toSorted()

describe('read models are bound to their event store', () => {
  it('and continue with it, also after an older backup of the database was restored', async () => {
    const { store } = await startServerWith(history())
    await catchUpWith(store)
    const before = await rows()
    const { rows: origin } = await pool.query('select * from read.origin')
    await store.append('appointments', 11n, [movedAppointment('v1')])
    await catchUpWith(store)
    // The restored database: its checkpoint and its mark are before the end of the store.
    await pool.query('delete from read.origin')
    await pool.query('insert into read.origin (previous_position, position, event_id) values ($1, $2, $3)', [
      origin[0].previous_position,
      origin[0].position,
      origin[0].event_id,
    ])
    await pool.query(`update read.checkpoints set position = $1`, [origin[0].position])
    await pool.query(`update read.appointments set moves = 0, day = '2026-12-21' where id = 'v1'`)
    expect(await rows()).toEqual(before)
    await catchUpWith(store)
    expect((await rows()).find(({ id }) => id === 'v1')).toMatchObject({ moves: 1 })
  })

  it.each([
    ['an empty one', () => []],
    ['an older copy of the same', (events: NewEvent[]) => events.slice(0, 9)],
    [
      'an older copy with as many other events since',
      (events: NewEvent[]) => [...events.slice(0, 9), ...history().slice(9)],
    ],
    ['an older copy with more other events since', (events: NewEvent[]) => [...events.slice(0, 9), ...history()]],
    ['one with other events at the same positions', () => history()],
    ['one with more and other events', () => [...history(), ...history()]],
    [
      'one whose events are at other positions',
      () => history().map((event) => ({ ...event, type: 'AppointmentBookedByPhone' })),
    ],
  ])('and refuse %s', async (_, other: (events: NewEvent[]) => NewEvent[]) => {
    const events = history()
    await catchUpWith((await startServerWith(events)).store)
    const before = await rows()
    const { store } = await startServerWith(other(events))
    await expect(createRunner(store).start()).rejects.toThrow(ForeignPosition)
    expect(await rows()).toEqual(before)
  })

  it('and accept an identical copy', async () => {
    const events = history()
    await catchUpWith((await startServerWith(events)).store)
    const { store } = await startServerWith([...events, movedAppointment('v1')])
    await catchUpWith(store)
    expect((await rows()).find(({ id }) => id === 'v1')).toMatchObject({ moves: 1 })
  })

  it('and refuse another one before a rebuild to a new version', async () => {
    await catchUpWith((await startServerWith(history())).store)
    const [before, beforeTables] = [await rows(), await tables()]
    const newer = { ...validAppointments, version: 2 }
    const { server, store } = await startServerWith(history())
    await expect(createRunner(store, [newer]).start()).rejects.toThrow(ForeignPosition)
    // The same when the store is unavailable at first.
    await server.proxy.stopListening()
    const waiting = createRunner(store, [newer]).start()
    waiting.catch(() => undefined)
    await server.proxy.resumeListening()
    await expect(waiting).rejects.toThrow(ForeignPosition)
    expect([await rows(), await tables()]).toEqual([before, beforeTables])
  })

  it('and stop when another one replaces one that was unavailable', async () => {
    const events = history()
    const { server, store } = await startServerWith(events)
    await catchUpWith(store)
    const before = await rows()
    await server.proxy.stopListening()
    const lost = Promise.withResolvers<ForeignPosition>()
    await createRunner(store, [appointments], lost.resolve).start()
    server.log.replaceWith([...events.slice(0, 3), ...history()])
    await server.proxy.resumeListening()
    await expect(lost.promise).resolves.toBeInstanceOf(ForeignPosition)
    expect(await rows()).toEqual(before)
  })

  it('and stop when the store is replaced while running', async () => {
    const { server, store } = await startServerWith(history())
    const lost = Promise.withResolvers<ForeignPosition>()
    await createRunner(store, [appointments], lost.resolve).start()
    server.log.replaceWith([])
    await expect(lost.promise).resolves.toBeInstanceOf(ForeignPosition)
  })
})

describe('a reset for a moved store', () => {
  it('moves process managers to the same event', async () => {
    const events = history()
    await catchUpWith((await startServerWith(events)).store)
    await pool.query(
      `insert into read.checkpoints (name, version, position) select 'remind-patients', 1, position from read.origin`,
    )
    const { store } = await startServerWith([appointmentBooked('earlier'), ...events, appointmentBooked('later')])
    await resetForMovedStore({ store, pool }, [appointments])
    const { rows: after } = await pool.query(`select name, position from read.checkpoints order by name`)
    const last = (await store.readAll(null, { limit: 100 })).events.at(-2)
    expect(after).toEqual([
      { name: 'appointments', position: null },
      { name: 'remind-patients', position: last?.position },
    ])
    // And back at once, before any other event.
    const { store: third } = await startServerWith([
      appointmentBooked('earlier'),
      appointmentBooked('earlier still'),
      ...events,
    ])
    await resetForMovedStore({ store: third, pool }, [appointments])
    const { rows: back } = await pool.query(`select position from read.checkpoints where name = 'remind-patients'`)
    expect(back).toEqual([{ position: await third.head() }])
    await catchUpWith(third)
    expect((await rows()).map(({ id }) => id)).toEqual(expect.arrayContaining(['earlier', 'earlier still', 'v1']))
  })

  it('refuses while a process manager lags in the old store, and changes nothing', async () => {
    const events = history()
    const { store: old } = await startServerWith(events)
    await catchUpWith(old)
    const { events: all } = await old.readAll(null, { limit: 5 })
    await pool.query(`insert into read.checkpoints (name, version, position) values ('remind-patients', 1, $1)`, [
      all[3]?.position,
    ])
    const before = await rows()
    const { store } = await startServerWith([appointmentBooked('earlier'), ...events])
    await expect(resetForMovedStore({ store, pool }, [appointments])).rejects.toThrow(
      'remind-patients has not processed all events',
    )
    expect(await rows()).toEqual(before)
  })

  it('drops previous tables', async () => {
    const events = history()
    const { store: old } = await startServerWith(events)
    await catchUpWith(old)
    await catchUpWith(old, [{ ...validAppointments, version: 2 }])
    expect(await tables()).toContain('appointments~previous')
    const { store } = await startServerWith([appointmentBooked('earlier'), ...events])
    await resetForMovedStore({ store, pool }, [appointments])
    expect(await tables()).toEqual(['appointments', 'checkpoints', 'origin'])
    await catchUpWith(store)
    expect((await rows()).length).toBe(11)
  })
})
