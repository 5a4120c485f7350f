import { afterEach, beforeEach, expect, it } from 'vitest'
import { z } from 'zod'
import type { Job } from '#jobs/job.ts'
import type { Module, Services } from '#modules/module.ts'
import { defineProcessManager } from '#process-managers/process-manager.ts'
import { importFile, importOf, settled } from '#tests/modules/patients/import/import-fixtures.ts'
import { waitUntil } from '#tests/support/wait-until.ts'
import { newOwner } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { startWireServer, type WireServer } from '#tests/support/wire/server.ts'
import { modules } from '#main/modules.ts'

type Registered = { type: 'UserRegistered'; data: { userId: string } }

/** A process manager that no instance had before: it requests a clean-up of sessions for every registration. */
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
let disposers: (() => Promise<void>)[]
beforeEach(async () => {
  server = await startWireServer()
  disposers = [server.stop]
})
afterEach(async () => {
  for (const dispose of disposers.toReversed()) await dispose()
})

const findNewcomer = async (app: TestApp) =>
  (
    await app.services.pool.query<{ state: string; position: string | null }>(
      `select state, position from read.checkpoints where name = 'newcomer'`,
    )
  ).rows[0]
const countRequested = async (app: TestApp) =>
  (await app.services.pool.query(`select from jobs.job where name = 'forget-sessions-and-tries'`)).rowCount

it('events in an EventStoreDB lead to jobs', async () => {
  const app = await startTestApp({ eventStoreUrl: server.url })
  disposers.push(app.dispose)
  const { client } = await newOwner(app)
  const importId = await importFile(client, importOf(3))
  expect(await settled(client, importId)).toMatchObject({ state: 'done', created: 3 })
})

it('a process manager that is new while the store is unavailable starts at its end once it is available', async () => {
  const before = await startTestApp({ eventStoreUrl: server.url })
  disposers.push(before.dispose)
  await newOwner(before)
  await server.proxy.stopListening()
  const app = await startTestApp({
    eventStoreUrl: server.url,
    databaseUrl: before.databaseUrl,
    modules: [...modules, newcomer],
  })
  disposers.push(app.stopInstance)
  expect(await findNewcomer(app)).toBeUndefined()
  await server.proxy.resumeListening()
  await waitUntil(async () => (await findNewcomer(app)) !== undefined)
  expect(await countRequested(app)).toBe(0)
  await newOwner(app)
  await waitUntil(async () => (await countRequested(app)) === 1)
  expect(await findNewcomer(app)).toMatchObject({ state: 'running' })
})

it('jobs wait while the store is unavailable, and lose no attempt', async () => {
  let attempts = 0
  const job: Job<Services, object> = {
    name: 'reading',
    data: z.strictObject({}),
    retry: { limit: 0 },
    async run({ store }) {
      attempts++
      await store.head()
    },
  }
  const app = await startTestApp({
    eventStoreUrl: server.url,
    modules: [...modules, { name: 'reader', events: [], jobs: [job] }],
  })
  disposers.push(app.dispose)
  await server.proxy.stopListening()
  await app.services.jobs.send('reading', {})
  const find = async () =>
    (await app.services.pool.query(`select state::text, retry_count from jobs.job where name = 'reading'`)).rows[0]
  await waitUntil(async () => attempts > 0 && (await find()).state === 'created')
  await server.proxy.resumeListening()
  expect(await waitUntil(find, ({ state }) => state === 'completed')).toMatchObject({ retry_count: 0 })
  expect(await app.countDeadLetters()).toBe(0)
})
