import type { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { copyHistory } from '#eventstore/copy-history.ts'
import { eventAbout, phi } from '#eventstore/event.ts'
import { EventIdConflict, type EventStore } from '#eventstore/event-store.ts'
import { openEventStoreDb, type EventStoreDbStore } from '#eventstore/kurrentdb/store.ts'
import { openPostgresStore, type PostgresStore } from '#eventstore/postgres/store.ts'
import { encryptedStore } from '#encryption/encrypted-store.ts'
import { newEvent, readAllEvents, readStream } from '#tests/support/events.ts'
import { createMemoryKeyStore } from '#tests/support/memory-key-store.ts'
import { createTestDatabase, type TestDatabase, openTestPool } from '#tests/support/test-database.ts'
import { startWireServer, type WireServer } from '#tests/support/wire/server.ts'

const Noted = eventAbout('ownerId')('Noted', { ownerId: z.uuid(), note: phi(z.string()) })
const ownerId = '018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0001'
const noted = (note: string, id?: string) => newEvent('Noted', { ownerId, note }, id === undefined ? {} : { id })

let database: TestDatabase
let pool: Pool
let server: WireServer
let postgres: PostgresStore
let eventstoredb: EventStoreDbStore
const keyStore = createMemoryKeyStore()

beforeAll(async () => {
  database = await createTestDatabase()
  server = await startWireServer()
  pool = openTestPool(database.url, 2)
  postgres = await openPostgresStore(pool)
  eventstoredb = openEventStoreDb(server.url, { callTimeoutMs: 10_000 })
})
afterAll(async () => {
  await postgres.close()
  await eventstoredb.close()
  await pool.end()
  await database.drop()
  await server.stop()
})

const stores: [string, () => EventStore][] = [
  ['PostgreSQL', () => postgres],
  ['EventStoreDB', () => eventstoredb],
]

describe.each(stores)('encrypted in %s', (_, raw) => {
  it('recognizes a repeated append and refuses other content under the same id', async () => {
    const store = encryptedStore(raw(), keyStore, [Noted])
    const event = noted('Quixotic')
    expect(await store.append('noted-1', 'no-stream', [event])).toMatchObject({ status: 'appended' })
    expect(await store.append('noted-1', 'no-stream', [event])).toMatchObject({ status: 'already-appended' })
    await expect(store.append('noted-1', 'no-stream', [noted('Other', event.id)])).rejects.toThrow(EventIdConflict)
    expect((await readStream(store, 'noted-1')).map(({ data }) => data)).toEqual([event.data])
    expect(JSON.stringify((await readAllEvents(raw())).map(({ data }) => data))).not.toContain('Quixotic')
  })
})

it('copies encrypted events to another store without keys, and reads them there with the same keys', async () => {
  const from = encryptedStore(postgres, keyStore, [Noted])
  await from.append('noted-2', 'no-stream', [noted('Quixotic'), noted('Quaint')])
  const target = await startWireServer()
  const copy = openEventStoreDb(target.url, { callTimeoutMs: 10_000 })
  try {
    expect(await copyHistory(postgres, copy)).toMatchObject({ events: 3 })
    const read = await readAllEvents(encryptedStore(copy, keyStore, [Noted]))
    expect(read.map(({ data }) => data['note'])).toEqual(['Quixotic', 'Quixotic', 'Quaint'])
  } finally {
    await copy.close()
    await target.stop()
  }
})

it('encrypts the events of all streams of one append', async () => {
  const store = encryptedStore(postgres, keyStore, [Noted])
  const appends = ['Quixotic one', 'Quixotic two'].map((note, index) => ({
    stream: `noted-joint-${index}`,
    expected: 'no-stream' as const,
    events: [noted(note)],
  }))
  expect(await store.appendTogether?.(appends)).toMatchObject({ status: 'appended' })
  expect(await store.appendTogether?.(appends)).toMatchObject({ status: 'already-appended' })
  const read = await Promise.all(appends.map(({ stream }) => readStream(store, stream)))
  expect(read.flat().map(({ data }) => data['note'])).toEqual(['Quixotic one', 'Quixotic two'])
  expect(JSON.stringify((await readAllEvents(postgres)).map(({ data }) => data))).not.toContain('Quixotic')
})
