import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { type Assembled, assemble } from '#backend/assemble.ts'
import type { Health } from '#contracts/health.ts'
import { keyOf } from '#eventstore/cipher.ts'
import { createApp } from '#http/app.ts'
import type { BillingSettings, Module } from '#modules/module.ts'
import { keyedHashWith } from '#runtime/secrets.ts'
import { modules as allModules } from '#backend/modules.ts'
import { createTestDatabase } from './test-database.ts'
import { type Client, clientOf } from './client.ts'

/** The master key of every test application. */
export const masterKey = keyOf(Buffer.alloc(32, 'a master key'))

/** What signs the messages of the payment provider in every test application. */
export const webhookSecret = 'whsec_of_the_test_run_alone'

/** The real application over real HTTP on a database of its own. */
export type TestApp = Assembled & {
  url: string
  databaseUrl: string
  /** A browser of its own: keeps its cookies. */
  visitor(): Client
  /** Moves the application's clock, in milliseconds. */
  pass(milliseconds: number): void
  /** Stops the application's clock: from now on only `pass` moves it, so that no time is lost on a busy machine. */
  stopClock(): void
  /** Stops everything and drops the database. */
  end(): Promise<void>
  /** Stops this copy alone; its database stays for the next. */
  stopCopy(): Promise<void>
}

type Options = {
  /** Another copy of the app on a database that is there already. */
  databaseUrl?: string
  /** An EventStoreDB; otherwise events are kept in the database. */
  eventStoreUrl?: string
  modules?: readonly Module[]
  publicUrl?: string
  sandbox?: BillingSettings['sandbox']
  stripe?: BillingSettings['stripe']
  /** Practices are set up with a sample practice. Otherwise they begin empty, which is what most tests count on. */
  seedsSamples?: boolean
}

/** Starts it on a free port; call in `beforeAll`, and `end` in `afterAll`. */
export async function startTestApp({
  databaseUrl,
  eventStoreUrl,
  modules = allModules,
  publicUrl,
  sandbox = 'on',
  stripe = null,
  seedsSamples = false,
}: Options = {}): Promise<TestApp> {
  const database =
    databaseUrl === undefined ? await createTestDatabase() : { url: databaseUrl, drop: async () => undefined }
  let offset = 0
  let stoppedAt: number | undefined
  const clock = () => new Date((stoppedAt ?? Date.now()) + offset)
  const logger = pino({ level: process.env['TEST_LOG'] ?? 'silent' })
  const app = createApp({
    logger,
    health: async (): Promise<Health> => ({
      status: 'ok',
      version: 'test',
      services: { database: 'ok', eventStore: 'ok', jobs: 'ok' },
      projections: await assembled.feed.state(),
      deadLetters: await assembled.deadLetters(),
    }),
    webFolder: 'dist',
    cardFieldsOfStripe: stripe !== null,
    trustProxy: publicUrl?.startsWith('https:') ?? false,
    ...(publicUrl === undefined ? {} : { publicUrl }),
  })
  const assembled = await assemble({
    databaseUrl: database.url,
    eventStoreUrl,
    modules,
    app,
    logger,
    clock,
    sessionSecret: 'a secret of the test run, at least 32 long',
    masterKey,
    keyedHash: keyedHashWith('a key of the test run'),
    billing: { sandbox, stripe, webhookSecret, address: 'https://practice.example' },
    secure: publicUrl?.startsWith('https:') ?? false,
    seedsSamples,
  })
  const server = await new Promise<Server>((resolve) => {
    const listening = app.koa.listen(0, '127.0.0.1', () => resolve(listening))
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const stopCopy = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    await assembled.stop()
  }
  return {
    ...assembled,
    url,
    databaseUrl: database.url,
    visitor: () => clientOf(url),
    pass(milliseconds) {
      offset += milliseconds
    },
    stopClock() {
      stoppedAt ??= Date.now()
    },
    stopCopy,
    async end() {
      await stopCopy()
      await database.drop()
    },
  }
}
