import type Router from '@koa/router'
import type { Pool } from 'pg'
import type { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import type { DatabasePool } from 'slonik'
import type { z } from 'zod'
import type { CommandBus } from '#eventstore/command-bus.ts'
import type { EventStore } from '#eventstore/event-store.ts'
import type { Position } from '#eventstore/event.ts'
import type { SessionStore } from '#http/session.ts'
import type { Migration } from '#projections/migrations.ts'
import type { AnyProjection } from '#projections/projection.ts'

/** What the outside world lends to a module. */
export type Services = {
  bus: CommandBus
  store: EventStore
  /** Typed reads (slonik); a module's `queries.ts` takes it. */
  db: DatabasePool
  /** Plain PostgreSQL, for what is no read model: credentials, files on their way in, advisory locks. */
  pool: Pool
  jobs: PgBoss
  sessions: SessionStore
  clock: () => Date
  /** A random UUID, version 4. */
  newId: () => string
  /** HMAC of a value under the installation's own key, one namespace a purpose; hex. For names that must not be readable. */
  keyedHash: (purpose: string, value: string) => string
  logger: Logger
  /** Resolves when the read models that know one of these events have reached a position, or after two seconds. */
  caughtUp: (types: readonly string[], position: Position) => Promise<void>
}

/** What a module gives back: everything main.ts has to plug in. */
export type Module = {
  name: string
  /** Every event of its `events.ts`, one by one or as unions: what can be encrypted, versioned and read again. */
  events: readonly z.ZodType[]
  /** Tables that cannot be derived from events; run once each, in order. */
  migrations?: readonly Migration[]
  projections?: readonly AnyProjection[]
  routes?: (services: Services) => Router
  /** Starts the module's workers. Called once everything else is up. */
  jobs?: (services: Services) => Promise<void>
}
