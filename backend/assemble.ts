import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { eventStoreAt } from './event-store-at.ts'
import { commandBus } from '#eventstore/command-bus.ts'
import { ForeignPosition } from '#eventstore/event-store.ts'
import { postgresStore } from '#eventstore/postgres.ts'
import type { App } from '#http/app.ts'
import { sessionMigration, sessionStore, useSessions } from '#http/session.ts'
import { deadLettersMigration, countDeadLetters } from '#jobs/dead-letters.ts'
import { openJobs } from '#jobs/engine.ts'
import { findSession } from '#modules/accounts/queries.ts'
import type { Module, Services } from '#modules/module.ts'
import { openDatabase, openPool } from '#projections/database.ts'
import { createFeed, type Feed } from '#projections/feed.ts'
import { migrate, type Migration } from '#projections/migrations.ts'
import { reactorOf } from '#projections/reacting.ts'
import { StartError } from '#runtime/start-error.ts'

type Parts = {
  databaseUrl: string
  /** An EventStoreDB or KurrentDB. Undefined: events are kept in the database. */
  eventStoreUrl?: string | undefined
  modules: readonly Module[]
  /** Tables of the installation itself, before those of the modules. */
  migrations?: readonly Migration[]
  app: App
  logger: Logger
  clock: () => Date
  sessionSecret: string
  keyedHash: Services['keyedHash']
  /** Whether people reach us over TLS. */
  secure: boolean
  /** Ends a start that is under way. */
  signal?: AbortSignal
}

/** Everything behind the HTTP side, running. */
export type Assembled = {
  services: Services
  feed: Feed
  /** Whether the database and the job queue answer right now. */
  alive(): Promise<{ database: boolean; eventStore: boolean; jobs: boolean }>
  /** How many jobs were given up and wait for somebody to decide. */
  deadLetters(): Promise<number>
  /** Stops jobs, then read models, then connections. Requests must have ended before. */
  stop(): Promise<void>
}

/** Puts the house together on a database: tables, event store, read models, jobs, modules, and opens its routes. */
export async function assemble({ databaseUrl, modules, app, logger, clock, ...parts }: Parts): Promise<Assembled> {
  const pool = openPool(databaseUrl, 20)
  const ends: (() => Promise<unknown>)[] = [() => pool.end()]
  const stop = async () => {
    for (const end of ends.splice(0).toReversed()) await end().catch((err: unknown) => logger.warn({ err }, 'stop'))
  }
  try {
    await migrate(pool, [
      sessionMigration,
      deadLettersMigration,
      ...(parts.migrations ?? []),
      ...modules.flatMap(({ migrations = [] }) => migrations),
    ])
    const store = parts.eventStoreUrl === undefined ? await postgresStore(pool) : eventStoreAt(parts.eventStoreUrl)
    ends.push(() => store.close())
    const jobs = await openJobs({ databaseUrl, pool, logger, kinds: modules.flatMap((module) => module.jobs ?? []) })
    ends.push(() => jobs.stop())
    const feed = createFeed({
      store,
      pool,
      projections: modules.flatMap(({ projections = [] }) => projections),
      reactors: modules
        .flatMap(({ processManagers = [] }) => processManagers)
        .map((one) => reactorOf(one, jobs.enqueue)),
      logger,
      signal: parts.signal,
    })
    await feed.start()
    ends.push(() => feed.stop())
    const db = await openDatabase(databaseUrl)
    ends.push(() => db.end())
    const services: Services = {
      bus: commandBus({ store, clock, caughtUp: feed.caughtUp }),
      store,
      db,
      pool,
      jobs,
      sessions: sessionStore(pool),
      clock,
      newId: randomUUID,
      keyedHash: parts.keyedHash,
      logger,
      caughtUp: feed.caughtUp,
    }
    ends.push(() => jobs.rest())
    await jobs.work(services)
    app.open({
      session: (koa) =>
        useSessions(koa, {
          pool,
          find: findSession(pool),
          clock,
          secure: parts.secure,
          secret: parts.sessionSecret,
        }),
      routers: modules.flatMap(({ routes }) => (routes ? [routes(services)] : [])),
    })
    return {
      services,
      feed,
      alive: () => alive(services, jobs.isAlive),
      deadLetters: () => countDeadLetters(pool),
      stop,
    }
  } catch (error) {
    await stop()
    if (!(error instanceof ForeignPosition)) throw error
    throw new StartError(
      `${error.message}. Set EVENTSTORE_URL back, or use a database in which nothing was derived from the other one.`,
    )
  }
}

async function alive({ pool, store }: Services, jobsAlive: () => Promise<boolean>) {
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
  return { database, eventStore, jobs: queue }
}
