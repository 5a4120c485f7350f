import type { Logger } from 'pino'
import type { Key } from '#encryption/cipher.ts'
import { KeyMissing } from '#encryption/key-store.ts'
import { ForeignPosition } from '#eventstore/event-store.ts'
import { type DamagedTable, listDamagedTables } from '#database/damaged-pages.ts'
import { listenForNotifications } from '#database/listen-notify.ts'
import { migrate } from '#database/migrations.ts'
import { openDatabase } from '#database/pool.ts'
import { checkAllRows, sampleRows } from '#database/row-checks.ts'
import { productionTimeouts, type Timeouts } from '#database/timeouts.ts'
import type { App } from '#http/app.ts'
import { endedSessionsChannel } from '#http/session.ts'
import { createUsageStore } from '#http/usage-store.ts'
import { createWriteQuotas, productionQuotas, type Quotas } from '#http/write-quotas.ts'
import { countDeadLetters } from '#jobs/dead-letters.ts'
import { openJobEngine } from '#jobs/engine.ts'
import type { Mailer } from '#mail/mailer.ts'
import type { Module, Services } from '#modules/module.ts'
import { createProcessManagerSubscriber } from '#process-managers/subscriber.ts'
import { foreignStoreAdvice } from '#projections/runner/origin.ts'
import { createProjectionRunner, type ProjectionRunner } from '#projections/runner/runner.ts'
import { createDiskMonitor, type DiskMonitor } from '#runtime/disk-space.ts'
import type { ServiceStates } from '#runtime/health.ts'
import { StartError } from '#runtime/start-error.ts'
import type { TextSender } from '#sms/sms.ts'
import { createServices } from './create-services.ts'
import { collectMigrations } from './migrations.ts'
import { mountRoutes } from './mount-routes.ts'
import { openPools } from './open-pools.ts'
import { openStores } from './open-stores.ts'
import { responds } from './service-checks.ts'
import { createStopSteps } from './stop-steps.ts'

type Parts = {
  databaseUrl: string
  /** Address of an EventStoreDB or KurrentDB. Undefined: events are stored in the database. */
  eventStoreUrl?: string | undefined
  modules: readonly Module[]
  app: App
  logger: Logger
  clock: () => Date
  sessionSecret: string
  /** Encrypts the data keys. */
  masterKey: Key
  keyedHash: Services['keyedHash']
  settings: Services['settings']
  mailer: Mailer
  sms: TextSender
  /** Quotas of the practices; those of production by default. */
  quotas?: Quotas
  /** The time-outs of production by default. */
  timeouts?: Timeouts
  /** Watches the disk of the database; by default only for writes that it refuses. */
  disk?: DiskMonitor
  /** True if no other instance can use this database. */
  isExclusive?: boolean
  /** Validate all rows of typed queries, not a sample of them. */
  checksAllRows?: boolean
  /** True if clients connect over TLS. */
  secure: boolean
  /** Cancels a start in progress. */
  signal?: AbortSignal
  /** Called when the event store contains a different history: this instance must stop. */
  onLost?: (error: StartError) => void
}

/** The running application behind the HTTP layer. */
export type ComposedApp = {
  services: Services
  projectionRunner: ProjectionRunner
  /** Returns whether the database, the event store and the job queue respond, and the state of outgoing mail. */
  checkServices(): Promise<ServiceStates>
  /** Returns the number of dead letters. */
  countDeadLetters(): Promise<number>
  /** Returns the tables with damaged pages that the last check found. */
  listDamagedTables(): Promise<DamagedTable[]>
  /** Returns how many rows did not conform to the schema of their query since the start, of those that were validated. */
  countMismatches(): number
  /** Stops jobs, then projections, then connections. Requests must have ended before. */
  stop(): Promise<void>
}

/** Composes the application on a database: tables, event store, projections, jobs and modules; then mounts the routes. */
export async function composeApp(parts: Parts): Promise<ComposedApp> {
  const { databaseUrl, modules, app, logger, clock, eventStoreUrl, settings } = parts
  verifySettings(modules, settings)
  const { timeouts = productionTimeouts, disk = createDiskMonitor({}) } = parts
  const stopSteps = createStopSteps(logger)
  const pools = openPools(databaseUrl, timeouts, stopSteps)
  const { pool, maintenancePool } = pools
  const usageStore = createUsageStore(pools.relaxedPool)
  const quotas = createWriteQuotas(parts.quotas ?? productionQuotas, { store: usageStore, clock, logger })
  stopSteps.add(quotas.stop)
  try {
    await migrate(maintenancePool, collectMigrations(modules))
    const stores = await openStores({ ...parts, eventStoreUrl, disk }, pools, stopSteps)
    const { store } = stores
    const jobs = await openJobEngine({
      databaseUrl,
      pool,
      logger,
      jobs: modules.flatMap((module) => module.jobs ?? []),
      isAvailable: async () =>
        !disk.refusesWrites() && (await responds(pool.query('select 1'))) && (await responds(store.head())),
      isExclusive: parts.isExclusive ?? false,
    })
    stopSteps.add(jobs.stop)
    const projectionRunner = createProjectionRunner({
      ...stores,
      pool,
      maintenancePool,
      projections: modules.flatMap(({ projections = [] }) => projections),
      processManagers: modules
        .flatMap(({ processManagers = [] }) => processManagers)
        .map((processManager) => createProcessManagerSubscriber(processManager, jobs.enqueue)),
      logger,
      catchUpTimeoutMs: timeouts.catchUpMs,
      signal: parts.signal,
      onForeignStore: (error) => parts.onLost?.(toStartError(error)),
    })
    await projectionRunner.start()
    stopSteps.add(projectionRunner.stop)
    const rows = countingRowChecks(logger)
    const db = await openDatabase(databaseUrl, timeouts, parts.checksAllRows ? checkAllRows : rows.checks)
    stopSteps.add(() => db.end())
    const { keyedHash, mailer, sms } = parts
    const { verifyStreams } = app
    const services = createServices({
      pools,
      stores,
      db,
      jobs,
      projectionRunner,
      quotas,
      mailer,
      sms,
      modules,
      settings,
      keyedHash,
      timeouts,
      verifyStreams,
      clock,
      logger,
    })
    stopSteps.add(jobs.drain)
    await jobs.startWorkers(services)
    stopSteps.add(listenForNotifications(databaseUrl, endedSessionsChannel, verifyStreams))
    mountRoutes({ ...parts, services, disk }, stopSteps)
    return {
      services,
      projectionRunner,
      checkServices: services.checkServices,
      countDeadLetters: () => countDeadLetters(pool),
      listDamagedTables: () => listDamagedTables(pool),
      countMismatches: rows.countMismatches,
      stop: stopSteps.stop,
    }
  } catch (error) {
    await stopSteps.stop()
    if (error instanceof KeyMissing) throw new StartError(`${error.message}.`)
    if (!(error instanceof ForeignPosition)) throw error
    throw toStartError(error)
  }
}

/** Throws when a module's settings were not provided: a programming error, found at start. */
function verifySettings(modules: readonly Module[], provided: Services['settings']): void {
  for (const { name, settings } of modules)
    if (settings && !provided[settings.name]) throw new Error(`The settings of the module ${name} were not provided`)
}

const toStartError = ({ message }: ForeignPosition) => new StartError(`${message}. ${foreignStoreAdvice}`)

/** Creates the validation of a sample of rows, which logs and counts those that do not conform. */
function countingRowChecks(logger: Logger) {
  let mismatches = 0
  const checks = sampleRows((columns) => {
    mismatches++
    logger.error({ columns }, 'a row does not conform to the schema of its query')
  })
  return { checks, countMismatches: () => mismatches }
}
