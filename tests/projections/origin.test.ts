import { pino } from 'pino'
import type { Pool } from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { NewEvent } from '#eventstore/event.ts'
import { ForeignPosition } from '#eventstore/event-store.ts'
import { type EventStoreDbStore, openEventStoreDb } from '#eventstore/kurrentdb/store.ts'
import { openPool } from '#database/pool.ts'
import { createProjectionRunner, type ProjectionRunner } from '#projections/runner/runner.ts'
import { resetForMovedStore } from '#projections/rebuild/reset-for-moved-store.ts'
import type { AnyProjection } from '#projections/projection.ts'
import {
  appointmentMoved as movedAppointment,
  validAppointments,
  appointments,
  appointmentBooked,
} from '#tests/support/appointments.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts'
import { startWireServer, type WireServer } from '#tests/support/wire/server.ts'

let database: TestDatabase
let pool: Pool
let servers: WireServer[]
let stores: EventStoreDbStore[]
let feeds: ProjectionRunner[]

beforeEach(async () => {
  database = await createTestDatabase()
  pool = openPool(database.url, 10)
  servers = []
  stores = []
  feeds = []
})
afterEach(async () => {
  for (const feed of feeds) await feed.stop()
  for (const store of stores) await store.close()
  for (const server of servers) await server.stop()
  await pool.end()
  await database.drop()
})

/** A history that is always the same, byte by byte but for its ids. */
const history = () =>
  Array.from({ length: 12 }, (_, n) => appointmentBooked(`v${n % 10}`, { day: `2026-12-${10 + n}` }))

/** Another EventStoreDB with these events, written one by one, so that equal ones stand at equal positions. */
async function serverWith(events: readonly NewEvent[]): Promise<{ server: WireServer; store: EventStoreDbStore }> {
  const server = await startWireServer()
  const store = openEventStoreDb(server.url, { callTimeoutMs: 10_000 })
  servers.push(server)
  stores.push(store)
  for (const [n, event] of events.entries())
    await store.append('appointments', n === 0 ? 'no-stream' : BigInt(n - 1), [event])
  return { server, store }
}

function feedOf(
  store: EventStoreDbStore,
  projections: readonly AnyProjection[] = [appointments],
  onForeign?: (error: ForeignPosition) => void,
) {
  const feed = createProjectionRunner({
    store,
    pool,
    projections,
    logger: pino({ level: 'silent' }),
    onForeignStore: onForeign,
  })
  feeds.push(feed)
  return feed
}

/** Follows a store up to its end, as an application that is then stopped. */
async function followed(store: EventStoreDbStore, projections?: readonly AnyProjection[]): Promise<void> {
  const feed = feedOf(store, projections)
  await feed.start()
  await feed.stop()
}

const rows = async () => (await pool.query('select id, day::text, moves from read.appointments order by id')).rows
const tables = async () =>
  (await pool.query<{ name: string }>(`select tablename as name from pg_tables where schemaname = 'read'`)).rows
    .map(({ name }) => name)
    .toSorted()

describe('read models know the record they were made from', () => {
  it('and go on with it, also when the database was brought back from before', async () => {
    const { store } = await serverWith(history())
    await followed(store)
    const before = await rows()
    const { rows: kept } = await pool.query('select * from read.origin')
    await store.append('appointments', 11n, [movedAppointment('v1')])
    await followed(store)
    // The database as it was: its checkpoint and its mark lie behind the end of the store.
    await pool.query('delete from read.origin')
    await pool.query('insert into read.origin (after, position, event_id) values ($1, $2, $3)', [
      kept[0].after,
      kept[0].position,
      kept[0].event_id,
    ])
    await pool.query(`update read.checkpoints set position = $1`, [kept[0].position])
    await pool.query(`update read.appointments set moves = 0, day = '2026-12-21' where id = 'v1'`)
    expect(await rows()).toEqual(before)
    await followed(store)
    expect((await rows()).find(({ id }) => id === 'v1')).toMatchObject({ moves: 1 })
  })

  it.each([
    ['an empty one', () => []],
    ['an older copy of the same', (events: NewEvent[]) => events.slice(0, 9)],
    [
      'an older copy, to which others wrote as much since',
      (events: NewEvent[]) => [...events.slice(0, 9), ...history().slice(9)],
    ],
    ['an older copy, to which others wrote more since', (events: NewEvent[]) => [...events.slice(0, 9), ...history()]],
    ['one with other events in the same places', () => history()],
    ['one that holds more, and others', () => [...history(), ...history()]],
    [
      'one whose events stand elsewhere',
      () => history().map((event) => ({ ...event, type: 'AppointmentBookedByPhone' })),
    ],
  ])('and refuse %s', async (_, other: (events: NewEvent[]) => NewEvent[]) => {
    const events = history()
    await followed((await serverWith(events)).store)
    const before = await rows()
    const { store } = await serverWith(other(events))
    await expect(feedOf(store).start()).rejects.toThrow(ForeignPosition)
    expect(await rows()).toEqual(before)
  })

  it('and take a copy that is the same byte by byte for the same', async () => {
    const events = history()
    await followed((await serverWith(events)).store)
    const { store } = await serverWith([...events, movedAppointment('v1')])
    await followed(store)
    expect((await rows()).find(({ id }) => id === 'v1')).toMatchObject({ moves: 1 })
  })

  it('and refuse before anything is rebuilt, when a read model also has a new version', async () => {
    await followed((await serverWith(history())).store)
    const [before, beforeTables] = [await rows(), await tables()]
    const newer = { ...validAppointments, version: 2 }
    const { server, store } = await serverWith(history())
    await expect(feedOf(store, [newer]).start()).rejects.toThrow(ForeignPosition)
    // Also when the store has to be waited for.
    await server.proxy.stopListening()
    const waiting = feedOf(store, [newer]).start()
    waiting.catch(() => undefined)
    await server.proxy.resumeListening()
    await expect(waiting).rejects.toThrow(ForeignPosition)
    expect([await rows(), await tables()]).toEqual([before, beforeTables])
  })

  it('and end the work when another one comes in the place of one that was away', async () => {
    const events = history()
    const { server, store } = await serverWith(events)
    await followed(store)
    const before = await rows()
    await server.proxy.stopListening()
    const lost = Promise.withResolvers<ForeignPosition>()
    await feedOf(store, [appointments], lost.resolve).start()
    server.log.replaceWith([...events.slice(0, 3), ...history()])
    await server.proxy.resumeListening()
    await expect(lost.promise).resolves.toBeInstanceOf(ForeignPosition)
    expect(await rows()).toEqual(before)
  })

  it('and end the work when the store is exchanged below it', async () => {
    const { server, store } = await serverWith(history())
    const lost = Promise.withResolvers<ForeignPosition>()
    await feedOf(store, [appointments], lost.resolve).start()
    server.log.replaceWith([])
    await expect(lost.promise).resolves.toBeInstanceOf(ForeignPosition)
  })
})

describe('going on with another store', () => {
  it('lets what only remembers how far it is go on at the same event', async () => {
    const events = history()
    await followed((await serverWith(events)).store)
    await pool.query(
      `insert into read.checkpoints (name, version, position) select 'remind-patients', 1, position from read.origin`,
    )
    const { store } = await serverWith([appointmentBooked('earlier'), ...events, appointmentBooked('later')])
    await resetForMovedStore({ store, pool }, [appointments])
    const { rows: after } = await pool.query(`select name, position from read.checkpoints order by name`)
    const last = (await store.readAll(null, 100)).events.at(-2)
    expect(after).toEqual([
      { name: 'remind-patients', position: last?.position },
      { name: 'appointments', position: null },
    ])
    // And back at once, before anything else has happened.
    const { store: third } = await serverWith([
      appointmentBooked('earlier'),
      appointmentBooked('earlier still'),
      ...events,
    ])
    await resetForMovedStore({ store: third, pool }, [appointments])
    const { rows: back } = await pool.query(`select position from read.checkpoints where name = 'remind-patients'`)
    expect(back).toEqual([{ position: await third.head() }])
    await followed(third)
    expect((await rows()).map(({ id }) => id)).toEqual(expect.arrayContaining(['earlier', 'earlier still', 'v1']))
  })

  it('refuses while something has work left from the old one, and leaves everything as it is', async () => {
    const events = history()
    const { store: old } = await serverWith(events)
    await followed(old)
    const { events: all } = await old.readAll(null, 5)
    await pool.query(`insert into read.checkpoints (name, version, position) values ('remind-patients', 1, $1)`, [
      all[3]?.position,
    ])
    const before = await rows()
    const { store } = await serverWith([appointmentBooked('earlier'), ...events])
    await expect(resetForMovedStore({ store, pool }, [appointments])).rejects.toThrow('remind-patients has work left')
    expect(await rows()).toEqual(before)
  })

  it('drops what a rebuild has left beside, which nobody could go on with', async () => {
    const events = history()
    const { store: old } = await serverWith(events)
    await followed(old)
    await followed(old, [{ ...validAppointments, version: 2 }])
    expect(await tables()).toContain('appointments~previous')
    const { store } = await serverWith([appointmentBooked('earlier'), ...events])
    await resetForMovedStore({ store, pool }, [appointments])
    expect(await tables()).toEqual(['checkpoints', 'origin', 'appointments'])
    await followed(store)
    expect((await rows()).length).toBe(11)
  })
})
