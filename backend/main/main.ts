import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { type ComposedApp, composeApp } from './compose.ts'
import { type Config, helpText, readConfig } from './config.ts'
import { loadKeys, type InstallationKeys, type KeySettings } from '#encryption/installation-keys.ts'
import { configureModules } from './configure-modules.ts'
import { createApp, type App } from '#http/app.ts'
import { openPool } from '#database/pool.ts'
import { lockDataDir } from '#runtime/data-dir-lock.ts'
import { waitForDatabase } from '#runtime/database-ready.ts'
import { type EmbeddedPostgres, ensureDataDir, startEmbeddedPostgres } from '#runtime/embedded-postgres.ts'
import { createHealthCheck } from '#runtime/health.ts'
import { startHttpServer } from '#runtime/http-server.ts'
import { createLifecycle, type Lifecycle } from '#runtime/lifecycle.ts'
import { createLogger } from '#runtime/logger.ts'
import { resolveSessionSecret, resolveWebhookSecret } from '#runtime/secrets.ts'
import { StartError } from '#runtime/start-error.ts'

const resolveFromRoot = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url))
const { version } = JSON.parse(readFileSync(resolveFromRoot('package.json'), 'utf8')) as { version: string }

/** Starts the whole and stays until a signal. A start that cannot go on ends with one line and exit code 1. */
async function main(): Promise<void> {
  let life: Lifecycle | undefined
  try {
    const config = readConfig(process.env)
    const logger = createLogger({ level: config.logLevel, production: config.production })
    const running = start(config, logger)
    life = running.life
    await running.started
  } catch (error) {
    // A signal in the middle of the start: the stop is under way and ends the process.
    if (life?.signal.aborted) return
    process.stderr.write(
      `${error instanceof StartError ? error.message : `Everchart cannot start: ${formatError(error)}`}\n`,
    )
    if (!life) process.exit(1)
    await life.stop(1)
  }
}

type Secrets = InstallationKeys & { sessionSecret: string; webhookSecret: string }

const clock = () => new Date()

const formatError = (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error))

function start(config: Config, logger: Logger): { life: Lifecycle; started: Promise<void> } {
  /** A step for whoever watches: a plain line in a terminal, a line of the log in production. */
  const say = (line: string) => (config.production ? logger.info(line) : process.stdout.write(`${line}\n`))
  let embedded: EmbeddedPostgres | undefined
  let house: ComposedApp | undefined
  const life = createLifecycle({ logger, waitForStart: () => started, killNow: () => embedded?.kill() })
  const fail = (err: unknown, message: string) => {
    logger.fatal({ err }, message)
    void life.stop(1)
  }
  process.on('uncaughtException', (error) => fail(error, 'a bug ended the process'))
  process.on('unhandledRejection', (error) => fail(error, 'a bug ended the process'))

  async function run(): Promise<void> {
    const dataDir = await ensureDataDir(config.dataDir)
    const unlock = await lockDataDir(dataDir)
    life.onStop('data folder', 500, unlock)
    const sessionSecret = await resolveSessionSecret(dataDir, config.sessionSecret)
    const webhookSecret = await resolveWebhookSecret(dataDir, config.webhookSecret)

    const vitals = () =>
      house && {
        checkServices: house.checkServices,
        readModels: house.projectionRunner.getStates,
        countDeadLetters: house.countDeadLetters,
      }
    const app = createApp({
      logger,
      health: createHealthCheck(vitals, version),
      webFolder: resolveFromRoot('dist'),
      trustProxy: config.trustProxy,
      usesStripeCardFields: config.stripe !== null,
      ...(config.publicUrl === undefined ? {} : { publicUrl: config.publicUrl }),
    })
    const server = await startHttpServer(app.koa.callback(), config.port, config.host)
    life.onStop('requests', 4_000, (milliseconds) => {
      const closed = server.close(milliseconds)
      app.closeStreams()
      return closed
    })
    life.signal.throwIfAborted()

    const databaseUrl = config.databaseUrl ?? (await startOwnDatabase(dataDir))
    if (config.databaseUrl !== undefined) await waitForDatabase(databaseUrl, life.signal, say)
    life.signal.throwIfAborted()

    say('Preparing tables and read models')
    const keys = await loadInstallationKeys(databaseUrl, { ...config, dataDir })
    const address = config.publicUrl ?? formatAddress(config.host, server.port)
    house = await putTogether(app, databaseUrl, address, { sessionSecret, webhookSecret, ...keys })
    life.signal.throwIfAborted()
    say(`Everchart ${version} is ready: ${address}`)
  }

  async function startOwnDatabase(dataDir: string): Promise<string> {
    say('Starting the database')
    embedded = await startEmbeddedPostgres({
      dataDir,
      log: say,
      signal: life.signal,
      onLost: (reason) => fail(new StartError(reason), 'the database is lost'),
    })
    life.onStop('database', 6_500, embedded.stop)
    return embedded.url
  }

  async function putTogether(app: App, databaseUrl: string, address: string, secrets: Secrets) {
    const secure = config.publicUrl?.startsWith('https:') ?? false
    const { eventStoreUrl } = config
    const { signal } = life
    const onLost = (error: Error) => fail(error, 'the event store is another one')
    // The lock on the data folder lets nobody else use the embedded database.
    const isExclusive = config.databaseUrl === undefined
    const { webhookSecret, ...keys } = secrets
    const configured = await configureModules({
      sandbox: config.billingSandbox,
      stripe: config.stripe,
      webhookSecret,
      address,
      hasSamplePractices: config.samplePractice,
    })
    const parts = {
      databaseUrl,
      eventStoreUrl,
      ...configured,
      app,
      logger,
      clock,
      ...keys,
      isExclusive,
      secure,
      signal,
      onLost,
    }
    const assembled = await composeApp(parts)
    life.onStop('jobs and read models', 3_500, assembled.stop)
    return assembled
  }

  const started = run()
  return { life, started }
}

async function loadInstallationKeys(databaseUrl: string, settings: KeySettings): Promise<InstallationKeys> {
  const pool = openPool(databaseUrl, 1)
  try {
    return await loadKeys(pool, settings)
  } finally {
    await pool.end()
  }
}

function formatAddress(host: string, port: number): string {
  if (['127.0.0.1', '0.0.0.0', '::', '::1'].includes(host)) return `http://localhost:${port}`
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

if (process.argv.slice(2).some((word) => word === '--help' || word === '-h')) process.stdout.write(helpText())
else await main()
