import type { Logger } from 'pino'
import { hasAccounts } from '#modules/accounts/public.ts'
import { appVersion } from './app-version.ts'
import { parseStartArguments } from './command-line.ts'
import type { ComposedApp } from './compose.ts'
import { composeFromConfig } from './compose-from-config.ts'
import { type Config, findConfigWarnings, helpText, readConfig } from './config.ts'
import { loadKeys, type InstallationKeys, type KeySettings } from '#encryption/installation-keys.ts'
import { formatAddress } from './format-address.ts'
import { findDatabase } from './find-database.ts'
import { prepareDatabase } from './prepare-database.ts'
import { formatReadyLine, formatStartMessage } from './start-message.ts'
import { createApp } from '#http/app.ts'
import { openPool } from '#database/pool.ts'
import { startSampling } from '#database/uptime-log.ts'
import { createFreeSpaceReader } from '#eventstore/kurrentdb/free-space.ts'
import { lockDataDir } from '#runtime/data-dir-lock.ts'
import { waitForDatabase } from '#runtime/wait-for-database.ts'
import { createDiskMonitor } from '#runtime/disk-space.ts'
import { type EmbeddedPostgres, ensureDataDir } from '#runtime/embedded-postgres.ts'
import { createHealthCheck } from '#runtime/health.ts'
import { startHttpServer } from '#runtime/http-server.ts'
import { createLifecycle, type Lifecycle } from '#runtime/lifecycle.ts'
import { createLogger } from '#runtime/logger.ts'
import { resolveFromRoot } from '#runtime/root.ts'
import { resolveSessionSecret, resolveWebhookSecret } from '#runtime/secrets.ts'
import { StartError } from '#runtime/start-error.ts'

/** Starts the application and runs until a signal. A failed start prints one line and exits with code 1. */
async function main(): Promise<void> {
  let lifecycle: Lifecycle | undefined
  try {
    const { showsHelp, isDemo } = parseStartArguments(process.argv.slice(2))
    if (showsHelp) return void process.stdout.write(helpText())
    const config = readConfig(process.env)
    const logger = createLogger({ level: config.logLevel, production: config.production })
    for (const warning of findConfigWarnings(config)) logger.warn(warning)
    const run = start(config, logger, isDemo)
    lifecycle = run.lifecycle
    await run.started
  } catch (error) {
    // A signal during the start: the stop in progress ends the process.
    if (lifecycle?.signal.aborted) return
    process.stderr.write(
      `${error instanceof StartError ? error.message : `Everchart cannot start: ${formatError(error)}`}\n`,
    )
    if (!lifecycle) process.exit(1)
    await lifecycle.stop(1)
  }
}

const unprotectedAdvice =
  'the role of DATABASE_URL can change stored events: set OWNER_DATABASE_URL too (docs/operations/deployment.md)'

const formatError = (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error))

function start(config: Config, logger: Logger, isDemo: boolean): { lifecycle: Lifecycle; started: Promise<void> } {
  /** Reports a step: a plain line in a terminal, a log line in production. */
  const log = (line: string) => (config.production ? logger.info(line) : process.stdout.write(`${line}\n`))
  let embedded: EmbeddedPostgres | undefined
  let composed: ComposedApp | undefined
  const lifecycle = createLifecycle({ logger, waitForStart: () => started, killNow: () => embedded?.kill() })
  const fail = (err: unknown, message: string) => {
    logger.fatal({ err }, message)
    void lifecycle.stop(1)
  }
  process.on('uncaughtException', (error) => fail(error, 'process ended by a bug'))
  process.on('unhandledRejection', (error) => fail(error, 'process ended by a bug'))

  async function run(): Promise<void> {
    const dataDir = await ensureDataDir(config.dataDir)
    const unlock = await lockDataDir(dataDir)
    lifecycle.onStop('data folder', 500, unlock)
    const sessionSecret = await resolveSessionSecret(dataDir, config.sessionSecret)
    const webhookSecret = await resolveWebhookSecret(dataDir, config.webhookSecret)

    const disk = createDiskMonitor({
      folder: config.databaseUrl === undefined ? dataDir : undefined,
      readEventStore: config.eventStoreUrl === undefined ? undefined : createFreeSpaceReader(config.eventStoreUrl),
      onChange: (space) => logger.warn(space, 'disk space changed'),
    })
    const findChecks = () =>
      composed && {
        checkServices: composed.checkServices,
        readModels: composed.projectionRunner.getStates,
        countDeadLetters: composed.countDeadLetters,
        listDamagedTables: composed.listDamagedTables,
        countMismatches: composed.countMismatches,
        getDiskSpace: disk.getSpace,
      }
    const app = createApp({
      logger,
      health: createHealthCheck(findChecks, appVersion),
      webFolder: resolveFromRoot('dist'),
      trustedProxies: config.trustedProxies,
      hasSecureSubdomains: config.hasSecureSubdomains,
      usesStripeCardFields: config.stripe !== null,
      contactEmail: config.contactEmail,
      securityContact: config.securityContact,
      isDemo,
      ...(config.publicUrl === undefined ? {} : { publicUrl: config.publicUrl }),
    })
    const server = await startHttpServer(app.koa.callback(), config.port, config.host)
    lifecycle.onStop('requests', 4_000, (milliseconds) => {
      const closed = server.close(milliseconds)
      app.closeStreams()
      return closed
    })
    lifecycle.signal.throwIfAborted()

    const onEmbedded = (database: EmbeddedPostgres) => (embedded = database)
    const addresses = await findDatabase({ config, dataDir, lifecycle, log, fail, onEmbedded })
    const { databaseUrl } = addresses
    lifecycle.signal.throwIfAborted()

    log('Preparing tables and read models')
    const { isProtected } = await prepareDatabase(addresses, { storesEvents: config.eventStoreUrl === undefined })
    if (config.ownerDatabaseUrl !== undefined) await waitForDatabase('DATABASE_URL', databaseUrl, lifecycle.signal, log)
    const keys = await loadInstallationKeys(databaseUrl, { ...config, dataDir })
    const address = config.publicUrl ?? formatAddress(config.host, server.port)
    composed = await composeFromConfig(config, {
      app,
      disk,
      databaseUrl,
      address,
      secrets: { sessionSecret, webhookSecret, ...keys },
      logger,
      signal: lifecycle.signal,
      onLost: (error) => fail(error, 'event store replaced'),
    })
    stopWithSampling(composed)
    lifecycle.signal.throwIfAborted()
    if (!isProtected) logger.warn(unprotectedAdvice)
    await report(address, composed)
  }

  /** Samples whether the application works, until it stops. */
  function stopWithSampling({ services, stop }: ComposedApp): void {
    const stopSampling = startSampling(services.uptime)
    lifecycle.onStop('jobs and read models', 3_500, async () => {
      stopSampling()
      await stop()
    })
  }

  async function report(address: string, { services }: ComposedApp): Promise<void> {
    const ready = {
      version: appVersion,
      address,
      isDemo,
      hasAccounts: await hasAccounts(services.pool),
      dataDir: config.dataDir,
      hasExternalDatabase: config.databaseUrl !== undefined,
      hasExternalEventStore: config.eventStoreUrl !== undefined,
    }
    log(config.production ? formatReadyLine(ready) : formatStartMessage(ready).join('\n'))
  }

  const started = run()
  return { lifecycle, started }
}

async function loadInstallationKeys(databaseUrl: string, settings: KeySettings): Promise<InstallationKeys> {
  const pool = openPool(databaseUrl, 1)
  try {
    return await loadKeys(pool, settings)
  } finally {
    await pool.end()
  }
}

await main()
