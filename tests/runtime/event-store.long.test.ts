import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Health } from '#contracts/health.ts'
import { openPool } from '#database/pool.ts'
import { acquireDatabase } from '#runtime/acquire-database.ts'
import {
  type EverchartProcess,
  startEverchart,
  createTemporaryDataDir,
  expectStopped,
} from '#tests/support/everchart-process.ts'
import { newOwner, newUser, password } from '#tests/support/practice.ts'
import { createClient } from '#tests/support/client.ts'
import { processEnvironment } from '#tests/support/process-environment.ts'
import { startWireServer, type WireServer } from '#tests/support/wire/server.ts'

let data: Awaited<ReturnType<typeof createTemporaryDataDir>>
let server: WireServer
beforeEach(async () => {
  data = await createTemporaryDataDir()
  server = await startWireServer()
})
afterEach(async () => {
  await data.remove()
  await server.stop()
})

const health = async (app: EverchartProcess) => {
  const answer = await fetch(`${app.url()}/api/health`)
  return [answer.status, ((await answer.json()) as Health).status]
}

test('starts without its event store, reports itself down until it is back, and stops in time without it', async () => {
  await server.proxy.stopListening()
  const app = startEverchart(data.folder, { EVENTSTORE_URL: server.url.replace('esdb:', 'kurrentdb:') })
  await app.ready
  expect(await health(app)).toEqual([503, 'down'])

  await server.proxy.resumeListening()
  await expect.poll(() => health(app)).toEqual([200, 'ok'])
  await newUser({ newClient: () => createClient(app.url()) })
  expect(server.log.all.map(({ type }) => type)).toContain('UserRegistered')

  server.proxy.freeze()
  app.kill('SIGTERM')
  const { code } = await app.ended
  // The event store still does not respond. A stop that takes nearly ten seconds is cut short with code 1.
  expect([code, app.output()]).toEqual([0, expect.not.stringMatching(/ended by a bug|unhandled/i)])
})

test('refuses read models of another event store in one line', async () => {
  const first = startEverchart(data.folder, { EVENTSTORE_URL: server.url })
  await first.ready
  await newUser({ newClient: () => createClient(first.url()) })
  first.kill('SIGTERM')
  await first.ended
  const second = startEverchart(data.folder)
  expect((await second.ended).code).toBe(1)
  expect(second.output().trim().split('\n').at(-1)).toMatch(
    /^The read models were derived from another event store: they are at es-[\d-]+\. Set EVENTSTORE_URL back; or.+ --moved$/,
  )
})

test('copied events are decrypted with the keys of their database only', async () => {
  const stop = async (app: EverchartProcess) => {
    app.kill('SIGTERM')
    await expectStopped(app)
  }
  const first = startEverchart(data.folder)
  await first.ready
  const { client, registration } = await newOwner({ newClient: () => createClient(first.url()) })
  expect((await client.post('/api/patients', { firstName: 'Ada', lastName: 'Tester' })).status).toBe(201)
  await stop(first)
  await runTool(data.folder, 'events', 'copy', '--from', 'postgres', '--to', server.url)
  expect(server.log.all.map(({ data: bytes }) => Buffer.from(bytes).toString()).join()).not.toContain('Tester')

  const database = await acquireDatabase({ dataDir: data.folder, databaseUrl: undefined }, () => undefined)
  const pool = openPool(database.url, 1)
  await pool.query('drop schema read cascade')
  await pool.end()
  await database.release()
  const second = startEverchart(data.folder, { EVENTSTORE_URL: server.url })
  await second.ready
  const nextClient = createClient(second.url())
  expect((await nextClient.post('/api/login', { email: registration.email, password })).status).toBe(200)
  expect((await nextClient.get('/api/patients?search=tester')).body).toMatchObject([{ firstName: 'Ada' }])
  await stop(second)

  const other = await createTemporaryDataDir()
  try {
    const third = startEverchart(other.folder, { EVENTSTORE_URL: server.url })
    expect((await third.ended).code).toBe(1)
    expect(third.output().trim().split('\n').at(-1)).toMatch(/^This database has no key for the events of/)
  } finally {
    await other.remove()
  }
})

async function runTool(folder: string, name: string, ...args: string[]): Promise<void> {
  const env = { ...processEnvironment, DATA_DIR: folder }
  await promisify(execFile)(process.execPath, [`backend/cli/${name}.ts`, ...args], { env })
}

test('stops with one line when its event store is replaced by another, and refuses to start on it', async () => {
  const app = startEverchart(data.folder, { EVENTSTORE_URL: server.url })
  await app.ready
  await newUser({ newClient: () => createClient(app.url()) })
  await server.proxy.stopListening()
  server.log.replaceWith([])
  await server.proxy.resumeListening()
  expect((await app.ended).code).toBe(1)
  expect(app.output()).toMatch(/event store replaced[^]*rebuild --all --moved/)
  const again = startEverchart(data.folder, { EVENTSTORE_URL: server.url })
  expect((await again.ended).code).toBe(1)
  expect(again.output().trim().split('\n').at(-1)).toMatch(/^This event store ends at .*rebuild --all --moved$/)
})
