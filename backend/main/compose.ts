import type { Logger } from 'pino'
import { decorateEventStore } from './decorate-event-store.ts'
import { createModuleEventVersions } from './event-versions.ts'
import { guardEventStore } from './guard-event-store.ts'
import { collectMigrations } from './migrations.ts'
import { openEventStore } from './open-event-store.ts'
import { watchDamage } from './watch-damage.ts'
import type { Key } from '#encryption/cipher.ts'
import { createCommandBus } from '#eventstore/command-bus.ts'
import { createId } from '#eventstore/create-id.ts'
import type { Recorded } from '#eventstore/event.ts'
import { ForeignPosition } from '#eventstore/event-store.ts'
import { openPostgresKeyStore } from '#encryption/postgres-key-store.ts'
import { KeyMissing } from '#encryption/key-store.ts'
import type { App } from '#http/app.ts'
import { createIdempotencyStore } from '#http/idempotency-store.ts'
import { createWriteRunner } from '#http/run-write.ts'
import { createSessionMiddleware, createSessionStore, endedSessionsChannel } from '#http/session.ts'
import { createUsageStore } from '#http/usage-store.ts'
import { createWriteQuotas, productionQuotas, type Quotas } from '#http/write-quotas.ts'
import { countDeadLetters } from '#jobs/dead-letters.ts'
import { openJobEngine } from '#jobs/engine.ts'
import { createMail } from '#mail/deliveries.ts'
import type { Mailer } from '#mail/mailer.ts'
import { createSms } from '#sms/deliveries.ts'
import type { TextSender } from '#sms/sms.ts'
import { createRefusalRecorder } from '#modules/audit/refusal-recorder.ts'
import { createFindSession } from '#modules/accounts/queries.ts'
import type { Module, Services } from '#modules/module.ts'
import { type DamagedTable, listDamagedTables } from '#database/damaged-pages.ts'
import { checkAllRows, sampleRows } from '#database/row-checks.ts'
import { applicationName, openAppendPool, openDatabase, openPool, openRelaxedPool } from '#database/pool.ts'
import { listenForNotifications } from '#database/listen-notify.ts'
import { productionTimeouts, type Timeouts } from '#database/timeouts.ts'
import { createProjectionRunner, type ProjectionRunner } from '#projections/runner/runner.ts'
import { migrate } from '#database/migrations.ts'
import { foreignStoreAdvice } from '#projections/runner/origin.ts'
import { createProcessManagerSubscriber } from '#process-managers/subscriber.ts'
import type { ServiceStates } from '#runtime/health.ts'
import { createDiskMonitor, type DiskMonitor } from '#runtime/disk-space.ts'
import { createUptimeLog } from '#database/uptime-log.ts'
import { createVendorLog } from '#database/vendor-log.ts'
import { timeStep } from '#runtime/step-times.ts'
import { withTimeout } from '#runtime/with-timeout.ts'
import { StartError } from '#runtime/start-error.ts'

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
export async function composeApp({ databaseUrl, modules, app, logger, clock, ...parts }: Parts): Promise<ComposedApp> {
  verifySettings(modules, parts.settings)
  const versions = createModuleEventVersions(modules)
  const { mailer, timeouts = productionTimeouts, disk = createDiskMonitor({}) } = parts
  const { verifyStreams } = app
  const pool = openPool(databaseUrl, 20, applicationName, timeouts, { isPipelined: true })
  const relaxedPool = openRelaxedPool(databaseUrl, 4, applicationName, timeouts)
  // Migrations and rebuilds run without a query time-out.
  const maintenancePool = openPool(databaseUrl, 4, applicationName)
  const appendPool = openAppendPool(databaseUrl, applicationName, timeouts)
  const pools = [pool, relaxedPool, maintenancePool, appendPool]
  const stopSteps: (() => Promise<unknown>)[] = pools.map((each) => () => each.end())
  const quotas = createWriteQuotas(parts.quotas ?? productionQuotas, {
    store: createUsageStore(relaxedPool),
    clock,
    logger,
  })
  stopSteps.push(quotas.stop)
  const stop = async () => {
    for (const stopStep of stopSteps.splice(0).toReversed())
      await stopStep().catch((err: unknown) => logger.warn({ err }, 'shutdown step failed'))
  }
  try {
    await migrate(maintenancePool, collectMigrations(modules))
    const opened = await openEventStore(parts.eventStoreUrl, pool, {
      appendPool,
      onDamaged: watchDamage(maintenancePool, logger),
    })
    stopSteps.push(() => opened.close())
    const essentialCategories = modules.flatMap((module) => module.essentialCategories ?? [])
    const raw = guardEventStore(opened, disk, essentialCategories)
    const keyStore = await openPostgresKeyStore(pool, parts.masterKey, {
      precedesEvents: parts.eventStoreUrl === undefined,
    })
    stopSteps.push(() => keyStore.close())
    const newerEvents = new Set<string>()
    const onNewer = (event: Recorded) => logNewerEvent(event, newerEvents, logger)
    const { store, metadataOnlyStore } = decorateEventStore(raw, { keyStore, modules, versions, onNewer })
    const jobs = await openJobEngine({
      databaseUrl,
      pool,
      logger,
      jobs: modules.flatMap((module) => module.jobs ?? []),
      isAvailable: async () =>
        !disk.refusesWrites() && (await responds(pool.query('select 1'))) && (await responds(store.head())),
      isExclusive: parts.isExclusive ?? false,
    })
    stopSteps.push(() => jobs.stop())
    const projectionRunner = createProjectionRunner({
      store,
      metadataOnlyStore,
      keyStore,
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
    stopSteps.push(() => projectionRunner.stop())
    let mismatches = 0
    const noteMismatch = (columns: readonly string[]) => {
      mismatches++
      logger.error({ columns }, 'a row does not conform to the schema of its query')
    }
    const rowChecks = parts.checksAllRows ? checkAllRows : sampleRows(noteMismatch)
    const db = await openDatabase(databaseUrl, timeouts, rowChecks)
    stopSteps.push(() => db.end())
    const vendors = createVendorLog({ pool: relaxedPool, clock, logger })
    const check = () => checkServices(services, jobs.isAlive, newerEvents.size === 0)
    const uptime = createUptimeLog({
      pool: relaxedPool,
      clock,
      logger,
      isWorking: async () => {
        const { database, eventStore } = await check()
        return database && eventStore
      },
    })
    const services: Services = {
      bus: createCommandBus({
        store,
        clock,
        waitUntilCaughtUp: (types, position) =>
          timeStep('catch-up', () => projectionRunner.waitUntilCaughtUp(types, position)),
        onAppended: quotas.recordEvents,
      }),
      store,
      readStored: raw.read,
      keyStore,
      db,
      pool,
      relaxedPool,
      jobs,
      mail: createMail({ pool, mailer, clock, onOutcome: (error) => void vendors.record('email', error) }),
      sms: createSms({
        pool,
        sender: parts.sms,
        clock,
        onOutcome: (error) => void vendors.record('sms', error),
      }),
      vendors,
      uptime,
      checkServices: check,
      sessions: createSessionStore({ pool, clock, verifyStreams }),
      quotas,
      clock,
      newId: createId,
      keyedHash: parts.keyedHash,
      logger,
      timeouts,
      settings: parts.settings,
      modules,
      waitUntilCaughtUp: projectionRunner.waitUntilCaughtUp,
      getReadPosition: projectionRunner.getReadPosition,
    }
    stopSteps.push(() => jobs.drain())
    await jobs.startWorkers(services)
    stopSteps.push(listenForNotifications(databaseUrl, endedSessionsChannel, verifyStreams))
    const refusals = createRefusalRecorder(services)
    stopSteps.push(refusals.stop)
    const idempotencyStore = createIdempotencyStore({ pool: relaxedPool, keyedHash: parts.keyedHash, clock })
    stopSteps.push(idempotencyStore.settle)
    app.mountRoutes({
      refusesWrites: disk.refusesWrites,
      requestMs: timeouts.requestMs,
      quotas,
      session: (koa) =>
        createSessionMiddleware(koa, {
          pool,
          find: createFindSession(pool, mailer),
          clock,
          secure: parts.secure,
          secret: parts.sessionSecret,
          verifyStreams,
        }),
      runWrite: createWriteRunner({
        store: idempotencyStore,
        logger,
      }),
      routers: modules.flatMap(({ routes }) => (routes ? [routes(services)] : [])),
      onRefusal: refusals.record,
    })
    return {
      services,
      projectionRunner,
      checkServices: check,
      countDeadLetters: () => countDeadLetters(pool),
      listDamagedTables: () => listDamagedTables(pool),
      countMismatches: () => mismatches,
      stop,
    }
  } catch (error) {
    await stop()
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

/** Logs an event of a newer version once per type: an instance from before an upgrade is still running. */
function logNewerEvent({ type, position, metadata }: Recorded, logged: Set<string>, logger: Logger): void {
  const { schemaVersion } = metadata
  if (logged.has(`${type} ${schemaVersion}`)) return
  logged.add(`${type} ${schemaVersion}`)
  logger.error({ type, schemaVersion, position }, 'a newer version wrote to the event store: upgrade this instance')
}

/** Returns which services respond. `isUpToDate` is false when a newer version has written: this instance must be upgraded. */
async function checkServices(
  { pool, store, mail }: Services,
  areJobsAlive: () => Promise<boolean>,
  isUpToDate: boolean,
): Promise<ServiceStates> {
  const [database, eventStore, queue] = await Promise.all([
    responds(pool.query('select 1')),
    responds(store.head()),
    responds(areJobsAlive()),
  ])
  return { database, eventStore: eventStore && isUpToDate, jobs: queue, mail: mail.getStatus() }
}

/** Returns whether a check succeeds within two seconds. */
const responds = (check: Promise<unknown>): Promise<boolean> =>
  withTimeout(
    check.then(
      () => true,
      () => false,
    ),
    2_000,
    () => false,
  )
