import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createClient } from '#tests/support/client.ts'
import { startEverchart, createTemporaryDataDir } from '#tests/support/everchart-process.ts'
import { newOwner } from '#tests/support/practice.ts'
import { runTool } from '#tests/support/run-tool.ts'
import { createTestDatabase, type TestDatabase, waitUntilSessionsEnd } from '#tests/support/test-database.ts'
import { startWireServer, type WireServer } from '#tests/support/wire/server.ts'

/** Creates an installation target: a database and an event store that speaks EventStoreDB's protocol. */
type Place = { database: TestDatabase; server: WireServer; settings: Record<string, string> }

let data: Awaited<ReturnType<typeof createTemporaryDataDir>>
let places: Place[]
const place = async (): Promise<Place> => {
  const [database, server] = await Promise.all([createTestDatabase(), startWireServer()])
  return { database, server, settings: { DATABASE_URL: database.url, EVENTSTORE_URL: server.url } }
}
beforeEach(async () => {
  data = await createTemporaryDataDir()
  places = await Promise.all([place(), place()])
})
afterEach(async () => {
  await data.remove()
  for (const { database, server } of places) {
    await server.stop()
    await database.drop()
  }
})

const tool = (settings: Record<string, string>, ...args: string[]) =>
  runTool('backup', args, { DATA_DIR: data.folder, ...settings })

test('a practice with an external event store moves to another one', async () => {
  const [old, fresh] = places as [Place, Place]
  const file = path.join(data.folder, 'backup')
  const app = startEverchart(data.folder, old.settings)
  await app.ready
  const { client, registration } = await newOwner({ newClient: () => createClient(app.url()) })
  await client.post('/api/patients', { firstName: 'Grace', lastName: 'Hopper' })
  const patients = (await client.get('/api/patients')).body
  const made = await tool(old.settings, 'backup', file)
  expect(made).toMatchObject({ err: '', code: 0 })
  const written = old.server.log.all.filter(({ type }) => !type.startsWith('$'))
  expect(made.out).toContain(`: ${written.length} events, `)
  app.kill('SIGTERM')
  await app.ended

  const restored = await tool(fresh.settings, 'restore', file)
  expect([restored.code, restored.out]).toEqual([0, expect.stringContaining('read models rebuilt')])
  const moved = fresh.server.log.all.filter(({ type }) => !type.startsWith('$'))
  expect(moved.map(({ type }) => type)).toEqual(written.map(({ type }) => type))
  await waitUntilSessionsEnd(fresh.database.url)
  const again = await tool({ ...fresh.settings, DATABASE_URL: fresh.database.url }, 'restore', file)
  expect([again.code, again.err]).toEqual([1, expect.stringMatching(/^This installation is in use [^\n]+\n$/)])

  const next = startEverchart(data.folder, fresh.settings)
  await next.ready
  const nextClient = createClient(next.url())
  const { email, password } = registration
  expect((await nextClient.post('/api/login', { email, password })).status).toBe(200)
  expect((await nextClient.get('/api/patients')).body).toEqual(patients)
  expect((await nextClient.post('/api/patients', { firstName: 'Ada', lastName: 'Byron' })).status).toBe(201)
  next.kill('SIGTERM')
  await next.ended
})

test('refuses a non-empty and an unreachable event store, and writes nothing', async () => {
  const [old, fresh] = places as [Place, Place]
  const file = path.join(data.folder, 'backup')
  const app = startEverchart(data.folder, old.settings)
  await app.ready
  await newOwner({ newClient: () => createClient(app.url()) })
  app.kill('SIGTERM')
  await app.ended
  expect((await tool(old.settings, 'backup', file)).code).toBe(0)

  const settings = { ...fresh.settings, EVENTSTORE_URL: old.server.url }
  const full = await tool(settings, 'restore', file)
  expect([full.code, full.err]).toEqual([1, 'The event store holds events already: restore into an empty one\n'])
  await waitUntilSessionsEnd(fresh.database.url)
  await fresh.server.proxy.stopListening()
  const away = await tool(fresh.settings, 'restore', file)
  expect([away.code, away.err]).toEqual([1, expect.stringMatching(/^The event store[^\n]+\n$/)])
  await fresh.server.proxy.resumeListening()
  await waitUntilSessionsEnd(fresh.database.url)
  expect((await tool(fresh.settings, 'restore', file)).code).toBe(0)
})
