import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { openExternalEventStore } from './open-event-store.ts'
import { listEventSchemas, createModuleEventVersions } from './event-versions.ts'
import { collectMigrations } from './migrations.ts'
import type { Key } from '#encryption/cipher.ts'
import { createCommandBus } from '#eventstore/command-bus.ts'
import type { Recorded } from '#eventstore/event.ts'
import { ForeignPosition } from '#eventstore/event-store.ts'
import { openPostgresStore } from '#eventstore/postgres/store.ts'
import { openPostgresKeyStore } from '#encryption/postgres-key-store.ts'
import { encryptedStore } from '#encryption/encrypted-store.ts'
import { upcastingStore } from '#eventstore/upcasting.ts'
import { KeyMissing } from '#encryption/key-store.ts'
import type { App } from '#http/app.ts'
import { createSessionStore, createSessionMiddleware } from '#http/session.ts'
import { countDeadLetters } from '#jobs/dead-letters.ts'
import { openJobEngine } from '#jobs/engine.ts'
import { createFindSession } from '#modules/accounts/queries.ts'
import type { Module, Services } from '#modules/module.ts'
import { applicationName, openDatabase, openPool, queryTimeoutMs } from '#database/pool.ts'
import { createProjectionRunner, type ProjectionRunner } from '#projections/runner/runner.ts'
import { migrate } from '#database/migrations.ts'
import { foreignStoreAdvice } from '#projections/runner/origin.ts'
import { createProcessManagerSubscriber } from '#process-managers/subscription.ts'
import { StartError } from '#runtime/start-error.ts'

type Parts = {
  databaseUrl: string
  /** An EventStoreDB or KurrentDB. Undefined: events are kept in the database. */
  eventStoreUrl?: string | undefined
  modules: readonly Module[]
  app: App
  logger: Logger
  clock: () => Date
  sessionSecret: string
  /** Wraps the data keys. */
  masterKey: Key
  keyedHash: Services['keyedHash']
  settings: Services['settings']
  /** Whether no other copy of the app can be at work on this database. */
  isExclusive?: boolean
  /** Whether people reach us over TLS. */
  secure: boolean
  /** Ends a start that is under way. */
  signal?: AbortSignal
  /** Called when the event store turns out to hold another record: this copy must not go on. */
  onLost?: (error: StartError) => void
}

/** Everything behind the HTTP side, running. */
export type ComposedApp = {
  services: Services
  projectionRunner: ProjectionRunner
  /** Whether the database and the job queue answer right now. */
  checkServices(): Promise<{ database: boolean; eventStore: boolean; jobs: boolean }>
  /** How many jobs were given up and wait for somebody to decide. */
  countDeadLetters(): Promise<number>
  /** Stops jobs, then read models, then connections. Requests must have ended before. */
  stop(): Promise<void>
}

/** Puts the house together on a database: tables, event store, read models, jobs, modules, and opens its routes. */
export async function composeApp({ databaseUrl, modules, app, logger, clock, ...parts }: Parts): Promise<ComposedApp> {
  verifySettings(modules, parts.settings)
  const versions = createModuleEventVersions(modules)
  const pool = openPool(databaseUrl, 20, applicationName, queryTimeoutMs)
  // What brings tables up to date, and folds them anew, may take as long as it takes.
  const unhurried = openPool(databaseUrl, 4, applicationName)
  const ends: (() => Promise<unknown>)[] = [() => pool.end(), () => unhurried.end()]
  const stop = async () => {
    for (const end of ends.splice(0).toReversed()) await end().catch((err: unknown) => logger.warn({ err }, 'stop'))
  }
  try {
    await migrate(unhurried, collectMigrations(modules))
    const raw =
      parts.eventStoreUrl === undefined ? await openPostgresStore(pool) : openExternalEventStore(parts.eventStoreUrl)
    ends.push(() => raw.close())
    const vault = await openPostgresKeyStore(pool, parts.masterKey)
    ends.push(() => vault.close())
    const newer = new Set<string>()
    const sealed = encryptedStore(raw, vault, listEventSchemas(modules))
    const store = upcastingStore(sealed, versions, (event) => logNewerEvent(event, newer, logger))
    const kinds = modules.flatMap((module) => module.jobs ?? [])
    const jobs = await openJobEngine({
      databaseUrl,
      pool,
      logger,
      jobs: kinds,
      isExclusive: parts.isExclusive ?? false,
    })
    ends.push(() => jobs.stop())
    const feed = createProjectionRunner({
      store,
      pool,
      maintenancePool: unhurried,
      projections: modules.flatMap(({ projections = [] }) => projections),
      processManagers: modules
        .flatMap(({ processManagers = [] }) => processManagers)
        .map((one) => createProcessManagerSubscriber(one, jobs.enqueue)),
      logger,
      signal: parts.signal,
      onForeignStore: (error) => parts.onLost?.(toStartError(error)),
    })
    await feed.start()
    ends.push(() => feed.stop())
    const db = await openDatabase(databaseUrl)
    ends.push(() => db.end())
    const services: Services = {
      bus: createCommandBus({ store, clock, waitUntilCaughtUp: feed.waitUntilCaughtUp }),
      store,
      keyStore: vault,
      db,
      pool,
      jobs,
      sessions: createSessionStore(pool),
      clock,
      newId: randomUUID,
      keyedHash: parts.keyedHash,
      logger,
      settings: parts.settings,
      modules,
      waitUntilCaughtUp: feed.waitUntilCaughtUp,
    }
    ends.push(() => jobs.drain())
    await jobs.startWorkers(services)
    app.mountRoutes({
      session: (koa) =>
        createSessionMiddleware(koa, {
          pool,
          find: createFindSession(pool),
          clock,
          secure: parts.secure,
          secret: parts.sessionSecret,
        }),
      routers: modules.flatMap(({ routes }) => (routes ? [routes(services)] : [])),
    })
    return {
      services,
      projectionRunner: feed,
      checkServices: () => checkServices(services, jobs.isAlive, newer.size === 0),
      countDeadLetters: () => countDeadLetters(pool),
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

/** Once for each kind: the line an operator finds when a copy from before an upgrade still runs. */
function logNewerEvent({ type, position, metadata }: Recorded, told: Set<string>, logger: Logger): void {
  const { schemaVersion } = metadata
  if (told.has(`${type} ${schemaVersion}`)) return
  told.add(`${type} ${schemaVersion}`)
  logger.error({ type, schemaVersion, position }, 'a newer Everchart wrote to the record: replace this copy')
}

/** `isRecent`: nobody newer has written; else this copy must not go on with the record. */
async function checkServices({ pool, store }: Services, jobsAlive: () => Promise<boolean>, isRecent: boolean) {
  const answers = (check: Promise<unknown>) =>
    Promise.race([
      check.then(
        () => true,
        () => false,
      ),
      new Promise<boolean>((resolve) => setTimeout(resolve, 2_000, false).unref()),
    ])
  const [database, eventStore, queue] = await Promise.all([
    answers(pool.query('select 1')),
    answers(store.head()),
    answers(jobsAlive()),
  ])
  return { database, eventStore: eventStore && isRecent, jobs: queue }
}
