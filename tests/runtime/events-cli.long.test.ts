import { afterAll, beforeAll, expect, it } from 'vitest'
import { openEventStoreDb } from '#eventstore/kurrentdb/store.ts'
import { openPostgresStore } from '#eventstore/postgres/store.ts'
import { openPool } from '#database/pool.ts'
import { newEvent, readAllEvents } from '#tests/support/events.ts'
import { createTemporaryDataDir } from '#tests/support/everchart-process.ts'
import { runTool } from '#tests/support/run-tool.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts'
import { startWireServer, type WireServer } from '#tests/support/wire/server.ts'

let database: TestDatabase
let server: WireServer
let home: Awaited<ReturnType<typeof createTemporaryDataDir>>

beforeAll(async () => {
  database = await createTestDatabase()
  server = await startWireServer()
  home = await createTemporaryDataDir()
  const pool = openPool(database.url, 2)
  const store = await openPostgresStore(pool)
  for (let n = 0; n < 20; n++) await store.append(`told-${n}`, 'no-stream', [newEvent('Told', { n })])
  await store.close()
  await pool.end()
})
afterAll(async () => {
  await server.stop()
  await database.drop()
  await home.remove()
})

const events = (...args: string[]) => runTool('events', args, { DATA_DIR: home.folder })

it('copies from a database to an EventStoreDB and prints a summary', async () => {
  const first = await events('copy', '--from', database.url, '--to', server.url, '--json')
  expect([first.code, first.err]).toEqual([0, 'counting\ncopying\nverifying\n'])
  expect(JSON.parse(first.out)).toEqual({
    events: 20,
    alreadyPresent: 0,
    hasSourceGrown: false,
    hash: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
  const again = await events('copy', '--from', database.url, '--to', server.url)
  expect(again).toMatchObject({ code: 0, out: expect.stringMatching(/^20 events, 20 of them already present\. /) })
  const store = openEventStoreDb(server.url, { callTimeoutMs: 10_000 })
  expect((await readAllEvents(store)).map(({ data }) => data)).toEqual(Array.from({ length: 20 }, (_, n) => ({ n })))
  await store.close()
})

it('uses the embedded database, and starts it when no application runs', async () => {
  const there = await events('copy', '--from', server.url, '--to', 'postgres', '--json')
  expect([there.code, JSON.parse(there.out)]).toEqual([0, expect.objectContaining({ events: 20, alreadyPresent: 0 })])
  const again = await events('copy', '--from', 'postgres', '--to', server.url, '--json')
  expect([again.code, JSON.parse(again.out)]).toEqual([0, expect.objectContaining({ events: 20, alreadyPresent: 20 })])
})

it('waits for a server that is slower than a request may be', async () => {
  server.faults.delayMs = 1_500
  try {
    const { code, out } = await events('copy', '--from', database.url, '--to', server.url)
    expect([code, out]).toEqual([0, expect.stringMatching(/^20 events, /)])
  } finally {
    server.faults.delayMs = 0
  }
})

it('names a missing certificate in one line', async () => {
  const { code, err } = await events(
    'copy',
    '--from',
    'esdb://a:b@127.0.0.1:1?tlsCAFile=nowhere.pem',
    '--to',
    'postgres',
  )
  expect([code, err]).toEqual([1, expect.stringMatching(/^A certificate of the event store .*nowhere\.pem'?\n$/)])
})

it('prints its help', async () => {
  expect(await events('--help')).toMatchObject({ code: 0, out: expect.stringContaining('copy [options]') })
  expect(await events('copy', '--help')).toMatchObject({ code: 0, out: expect.stringContaining('--from <store>') })
})

it.each([
  [],
  ['dance'],
  ['copy'],
  ['copy', '--from', 'postgres'],
  ['copy', '--from', 'mysql://x/y', '--to', 'postgres'],
  ['copy', '--from', 'postgres', '--to', 'postgres'],
  ['copy', '--from', 'postgres', '--to', 'esdb://hidden:hidden@x?colour=red'],
  ['copy', '--fro', 'postgres'],
])('refuses nonsense in one line: %j', async (...args) => {
  const { code, out, err } = await events(...args)
  expect([code, out]).toEqual([2, ''])
  expect(err).toMatch(/^(?!.*hidden)[^\n]+\n$/)
})

it('names an unknown flag and refers to --help', async () => {
  const { code, err } = await events('search', '--limit', '5')
  expect([code, err]).toEqual([2, "unknown option '--limit': npm run events -- --help prints the usage\n"])
})
