import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Module } from '#modules/module.ts'
import { defineProcessManager } from '#process-managers/process-manager.ts'
import { importFile, importOf, settled } from '#tests/modules/patients/import/importing.ts'
import { waitUntil } from '#tests/support/until.ts'
import { newOwner } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { startWireServer, type WireServer } from '#tests/support/wire/server.ts'
import { modules } from '#main/modules.ts'

type Registered = { type: 'UserRegistered'; data: { userId: string } }

/** Looks for abandoned sessions whenever somebody registers: a reactor that nobody had before. */
const newcomer: Module = {
  name: 'newcomer',
  events: [],
  processManagers: [
    defineProcessManager<Registered>({
      name: 'newcomer',
      on: { UserRegistered: () => [{ job: 'forget-sessions-and-tries', data: {} }] },
    }),
  ],
}

let server: WireServer
let ends: (() => Promise<void>)[]
beforeEach(async () => {
  server = await startWireServer()
  ends = [server.stop]
})
afterEach(async () => {
  for (const end of ends.toReversed()) await end()
})

const newcomerOf = async (app: TestApp) =>
  (
    await app.services.pool.query<{ state: string; position: string | null }>(
      `select state, position from read.checkpoints where name = 'newcomer'`,
    )
  ).rows[0]
const asked = async (app: TestApp) =>
  (await app.services.pool.query(`select from jobs.job where name = 'forget-sessions-and-tries'`)).rowCount

it('with events in an EventStoreDB, facts lead to jobs as ever', async () => {
  const app = await startTestApp({ eventStoreUrl: server.url })
  ends.push(app.dispose)
  const { client } = await newOwner(app)
  const importId = await importFile(client, importOf(3))
  expect(await settled(client, importId)).toMatchObject({ state: 'done', created: 3 })
})

it('a reactor that is new while the store is away begins at the end once it is back, and not with what was before', async () => {
  const before = await startTestApp({ eventStoreUrl: server.url })
  ends.push(before.dispose)
  await newOwner(before)
  await server.proxy.stopListening()
  const app = await startTestApp({
    eventStoreUrl: server.url,
    databaseUrl: before.databaseUrl,
    modules: [...modules, newcomer],
  })
  ends.push(app.stopInstance)
  expect(await newcomerOf(app)).toBeUndefined()
  await server.proxy.resumeListening()
  await waitUntil(async () => (await newcomerOf(app)) !== undefined)
  expect(await asked(app)).toBe(0)
  await newOwner(app)
  await waitUntil(async () => (await asked(app)) === 1)
  expect(await newcomerOf(app)).toMatchObject({ state: 'running' })
})
