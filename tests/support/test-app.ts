import { mkdtemp, rm } from 'node:fs/promises'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import type { SandboxMode } from '#main/billing-config.ts'
import { type ComposedApp, composeApp } from '#main/compose.ts'
import { configureModules } from '#main/configure-modules.ts'
import { HealthReport } from '#contracts/health.ts'
import { prepareDatabase } from '#main/prepare-database.ts'
import type { Timeouts } from '#database/timeouts.ts'
import { formatKey, importKey } from '#encryption/cipher.ts'
import { createApp } from '#http/app.ts'
import { createMailer } from '#mail/mailer.ts'
import { createSmsOutbox } from '#sms/sms.ts'
import { createTwilioSender, type TwilioSettings } from '#sms/twilio.ts'
import type { SmtpSettings } from '#mail/smtp.ts'
import { type Quotas, unlimitedQuotas } from '#http/write-quotas.ts'
import type { PasswordCost } from '#modules/accounts/passwords/password-store.ts'
import type { ModelSettings } from '#modules/assistant/settings.ts'
import type { StripeSettings } from '#modules/billing/settings.ts'
import type { ClearinghouseSettings } from '#modules/insurance/eligibility/settings.ts'
import type { Module } from '#modules/module.ts'
import { createDiskMonitor, type DiskMonitor } from '#runtime/disk-space.ts'
import { toApplicationUrl } from '#runtime/embedded-postgres.ts'
import { createKeyedHash } from '#runtime/secrets.ts'
import { modules as allModules } from '#main/modules.ts'
import { createStartedDatabase, createTestDatabase, type TestDatabase } from './test-database.ts'
import { type Client, createClient } from './client.ts'
import { endlessTimeouts } from './endless-timeouts.ts'

/** The master key of every test application. */
export const masterKey = importKey(Buffer.alloc(32, 'a master key'))

const hashKey = 'a hash key of the test run, at least 32 long'

/** The webhook secret of every test application. */
export const webhookSecret = 'whsec_of_the_test_run_alone'

/** The real application over HTTP with its own database. */
export type TestApp = ComposedApp & {
  url: string
  /** The database with the owner's role, to prepare and inspect it; the application itself uses its own role. */
  databaseUrl: string
  /** The folder in which messages are stored without `smtp`. */
  outbox: string
  /** The environment of a command-line tool for this installation. */
  toolSettings: Record<string, string>
  /** Creates a client with its own cookies. */
  newClient(): Client
  /** Advances the application's clock by milliseconds. */
  advanceClock(milliseconds: number): void
  /** Freezes the application's clock: only `advanceClock` moves it, so that results do not depend on how busy the machine is. */
  stopClock(): void
  /** Stops the application and drops the database. */
  dispose(): Promise<void>
  /** Stops this instance and keeps its database. */
  stopInstance(): Promise<void>
}

type Options = {
  /** An existing database; otherwise a new one is created. */
  databaseUrl?: string
  /** An EventStoreDB; otherwise events are stored in the database. */
  eventStoreUrl?: string
  modules?: readonly Module[]
  publicUrl?: string
  /** The address that the application believes users to open; links in messages lead there. */
  address?: string
  /** One with an https address, which a proxy then serves; otherwise none. */
  trustedProxies?: number
  sandbox?: SandboxMode
  stripe?: StripeSettings | null
  /** The operator's e-mail address. */
  contactEmail?: string
  /** The mail server; otherwise messages are stored in `outbox`. */
  smtp?: SmtpSettings | null
  /** The vendor of text messages; by default they go to the outbox. */
  twilio?: Omit<TwilioSettings, 'statusUrl'> | null
  /** The model that analyzes forms; by default rules do. */
  model?: ModelSettings | null
  /** The clearinghouse that asks insurers; by default people decide. */
  clearinghouse?: ClearinghouseSettings | null
  /** Seeds new practices with sample data. Most tests expect empty practices. */
  hasSamplePractices?: boolean
  /** The time zone of practices that are set up without one. */
  defaultTimeZone?: string
  /** Names of process managers that are left out. */
  disabledProcessManagers?: readonly string[]
  /** True to use the owner's role for everything, as before there were two, or with DATABASE_URL alone. */
  isSingleRole?: boolean
  /** Time-outs; so long by default that no reply depends on the machine. Tests of time-outs use those of production. */
  timeouts?: Timeouts
  /** The monitor of the free disk space; by default one that sees no disk. */
  disk?: DiskMonitor
  /** None by default. */
  quotas?: Quotas
  /** The cost of a password's hash; by default a low one, because tests sign up thousands of users. */
  passwordCost?: PasswordCost
}

/** Returns what a browser at the public address sends, and its proxy adds. */
const proxyHeaders = (publicUrl: string) => {
  const { origin, host, protocol } = new URL(publicUrl)
  return { origin, 'x-forwarded-host': host, 'x-forwarded-proto': protocol.slice(0, -1) }
}

/** Creates a database unless there is one, which is not dropped. The usual application finds its tables there. */
async function openDatabase(url: string | undefined, isUsual: boolean): Promise<TestDatabase> {
  if (url !== undefined) return { url, drop: async () => undefined }
  return isUsual ? await createStartedDatabase(startAndStop) : await createTestDatabase()
}

const startAndStop = async (databaseUrl: string) => await (await startTestApp({ databaseUrl })).stopInstance()

/** Starts the application on a free port. Call it in `beforeAll`, and `dispose` in `afterAll`. */
export async function startTestApp({
  databaseUrl,
  eventStoreUrl,
  modules = allModules,
  publicUrl,
  address = 'https://practice.example',
  trustedProxies = publicUrl?.startsWith('https:') ? 1 : 0,
  sandbox = 'on',
  stripe = null,
  contactEmail,
  smtp = null,
  twilio = null,
  model = null,
  clearinghouse = null,
  hasSamplePractices = false,
  defaultTimeZone = 'America/New_York',
  disabledProcessManagers = [],
  isSingleRole = false,
  timeouts = endlessTimeouts,
  disk = createDiskMonitor({}),
  quotas = unlimitedQuotas,
  passwordCost = { memoryCost: 256, timeCost: 1 },
}: Options = {}): Promise<TestApp> {
  const isUsual = modules === allModules && eventStoreUrl === undefined && !isSingleRole
  const database = await openDatabase(databaseUrl, isUsual)
  let offset = 0
  let stoppedAt: number | undefined
  const clock = () => new Date((stoppedAt ?? Date.now()) + offset)
  const logger = pino({ level: process.env['TEST_LOG'] ?? 'silent' })
  const app = createApp({
    logger,
    health: async () =>
      HealthReport.parse({
        status: 'ok',
        version: 'test',
        services: { database: 'ok', eventStore: 'ok', jobs: 'ok', mail: assembled.services.mail.getStatus() },
        projections: await assembled.projectionRunner.getStates(),
        deadLetters: await assembled.countDeadLetters(),
        damaged: await assembled.listDamagedTables(),
        mismatches: assembled.countMismatches(),
        storage: disk.getSpace(),
      }),
    webFolder: 'dist',
    usesStripeCardFields: stripe !== null,
    contactEmail,
    trustedProxies,
    ...(publicUrl === undefined ? {} : { publicUrl }),
  })
  const configured = await configureModules({
    modules,
    sandbox,
    stripe,
    webhookSecret,
    address,
    eventStoreUrl,
    hasSamplePractices,
    defaultTimeZone,
    // Tests run at any time of the day.
    hasQuietHours: false,
    messagesPerMinute: 6000,
    twilioToken: twilio?.authToken ?? null,
    model,
    clearinghouse,
    passwordCost,
  })
  const outbox = await mkdtemp(path.join(os.tmpdir(), 'everchart-outbox-'))
  const addresses = {
    databaseUrl: isSingleRole ? database.url : toApplicationUrl(database.url),
    ownerUrl: database.url,
  }
  const isPrepared = isUsual && databaseUrl === undefined
  if (!isPrepared) await prepareDatabase(addresses, { storesEvents: eventStoreUrl === undefined })
  const assembled = await composeApp({
    databaseUrl: addresses.databaseUrl,
    eventStoreUrl,
    settings: configured.settings,
    mailer: createMailer({
      smtp,
      sender: { header: 'Everchart <news@practice.example>', address: 'news@practice.example' },
      outboxFolder: outbox,
    }),
    sms: twilio
      ? createTwilioSender({ ...twilio, statusUrl: `${address}/api/twilio/status` })
      : createSmsOutbox(outbox),
    modules: configured.modules.map(({ processManagers = [], ...module }) => ({
      ...module,
      processManagers: processManagers.filter(({ name }) => !disabledProcessManagers.includes(name)),
    })),
    app,
    disk,
    logger,
    clock,
    timeouts,
    quotas,
    sessionSecret: 'a secret of the test run, at least 32 long',
    masterKey,
    keyedHash: createKeyedHash(hashKey),
    secure: publicUrl?.startsWith('https:') ?? false,
    checksAllRows: true,
  })
  const server = await new Promise<Server>((resolve) => {
    const listening = app.koa.listen(0, '127.0.0.1', () => resolve(listening))
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const stopInstance = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    await assembled.stop()
    await rm(outbox, { recursive: true, force: true })
  }
  return {
    ...assembled,
    url,
    databaseUrl: database.url,
    outbox,
    newClient: () => createClient(url, publicUrl === undefined ? {} : proxyHeaders(publicUrl)),
    toolSettings: {
      DATABASE_URL: addresses.databaseUrl,
      OWNER_DATABASE_URL: addresses.ownerUrl,
      MASTER_KEY: formatKey(masterKey),
      HASH_KEY: hashKey,
    },
    advanceClock(milliseconds) {
      offset += milliseconds
    },
    stopClock() {
      stoppedAt ??= Date.now()
    },
    stopInstance,
    async dispose() {
      await stopInstance()
      await database.drop()
    },
  }
}
