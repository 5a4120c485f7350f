import { execFile } from 'node:child_process'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createClient } from '#tests/support/client.ts'
import { type EverchartProcess, startEverchart, createTemporaryDataDir } from '#tests/support/everchart-process.ts'
import { newOwner } from '#tests/support/practice.ts'
import { processEnvironment } from '#tests/support/process-environment.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts'
import { startWireServer, type WireServer } from '#tests/support/wire/server.ts'

let home: Awaited<ReturnType<typeof createTemporaryDataDir>>
let database: TestDatabase
let server: WireServer
let app: EverchartProcess | undefined
let cookie = ''

beforeAll(async () => {
  home = await createTemporaryDataDir()
  database = await createTestDatabase()
  server = await startWireServer()
})
afterAll(async () => {
  app?.kill('SIGKILL')
  await app?.ended
  await server.stop()
  await database.drop()
  await home.remove()
})

const there = () => ({ EVENTSTORE_URL: server.url })

/** Runs a command-line tool on this installation. */
const tool = (name: 'events' | 'projections', words: string, settings: Record<string, string> = {}) =>
  new Promise<{ code: number; out: string; err: string }>((resolve) => {
    const env = { ...processEnvironment, DATA_DIR: home.folder, DATABASE_URL: database.url, ...settings }
    const args = [`backend/cli/${name}.ts`, ...words.split(' ')]
    const child = execFile(process.execPath, args, { env }, (_, out, err) =>
      resolve({ code: child.exitCode ?? -1, out, err }),
    )
  })

/** Starts the application with a client that stays signed in. */
async function start(settings: Record<string, string> = {}) {
  app = startEverchart(home.folder, { DATABASE_URL: database.url, ...settings })
  const url = await app.ready
  const client = createClient(url)
  if (cookie) client.setCookie(cookie)
  const names = async () =>
    ((await client.get('/api/patients')).body as { firstName: string }[]).map(({ firstName }) => firstName).toSorted()
  return {
    url,
    client,
    names,
    add: (firstName: string) => client.post('/api/patients', { firstName, lastName: 'Hopper' }),
  }
}

async function stop(): Promise<void> {
  app?.kill('SIGTERM')
  await app?.ended
}

/** Returns the line with which a start is refused. */
async function refusal(settings: Record<string, string> = {}): Promise<string | undefined> {
  app = startEverchart(home.folder, { DATABASE_URL: database.url, ...settings })
  expect((await app.ended).code).toBe(1)
  return app.output().trim().split('\n').at(-1)
}

it('keeps its database when the events move to an EventStoreDB and back', async () => {
  const first = await start()
  const owner = await newOwner({ newClient: () => createClient(first.url) })
  cookie = owner.client.cookie() ?? ''
  first.client.setCookie(cookie)
  for (const name of ['Ada', 'Bea', 'Cid']) expect((await first.add(name)).status).toBe(201)
  expect(await first.names()).toEqual(['Ada', 'Bea', 'Cid'])
  expect(await tool('projections', 'rebuild --all --moved', there())).toMatchObject({
    code: 1,
    err: 'This event store is empty: copy the history to it first, with npm run events -- copy\n',
  })
  expect((await tool('events', `copy --from postgres --to ${server.url}`)).code).toBe(0)
  // Refused while the application runs.
  expect(await tool('projections', 'rebuild --all --moved', there())).toMatchObject({
    code: 1,
    err: 'Everchart is running on this database: stop it first\n',
  })
  expect(await first.names()).toEqual(['Ada', 'Bea', 'Cid'])
  await stop()

  expect(await refusal(there())).toMatch(/another event store.* npm run projections -- rebuild --all --moved$/)
  for (const words of ['rebuild --all', 'verify --all', 'rebuild patients', 'list'])
    expect(await tool('projections', words, there())).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(/^The read models were derived from another event store.*rebuild --all --moved\n$/),
    })
  const moved = await tool('projections', 'rebuild --all --moved', there())
  expect([moved.code, moved.err]).toEqual([0, ''])
  expect((await tool('projections', 'verify --all', there())).code).toBe(0)

  const second = await start(there())
  expect(await second.names()).toEqual(['Ada', 'Bea', 'Cid'])
  expect((await second.add('Dot')).status).toBe(201)
  expect(await second.names()).toEqual(['Ada', 'Bea', 'Cid', 'Dot'])
  await stop()

  expect((await tool('events', `copy --from ${server.url} --to postgres`)).code).toBe(0)
  expect(await refusal()).toMatch(/another event store.* npm run projections -- rebuild --all --moved$/)
  expect((await tool('projections', 'rebuild --all --moved')).code).toBe(0)
  const third = await start()
  expect(await third.names()).toEqual(['Ada', 'Bea', 'Cid', 'Dot'])
  expect((await third.add('Eve')).status).toBe(201)
  expect(await third.names()).toEqual(['Ada', 'Bea', 'Cid', 'Dot', 'Eve'])
  expect((await tool('projections', 'verify --all')).code).toBe(0)
  await stop()
})

it.each(['rebuild patients --moved', 'rebuild --all --moved --diff', 'verify --all --moved'])(
  'refuses invalid arguments: %s',
  async (words) => {
    const { code, err } = await tool('projections', words)
    expect([code, err.trim().split('\n').length]).toEqual([2, 1])
  },
)
