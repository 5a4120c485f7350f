import type Router from '@koa/router'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { DatabasePool } from 'slonik'
import type { z } from 'zod'
import type { PlanId } from '#contracts/values/plans.ts'
import type { CommandBus } from '#eventstore/command-bus.ts'
import type { Upcaster } from '#eventstore/event.ts'
import type { EventStore } from '#eventstore/event-store.ts'
import type { Position } from '#eventstore/event.ts'
import type { Vault } from '#eventstore/vault.ts'
import type { SessionStore } from '#http/session.ts'
import type { AnyJob, Job, JobQueue } from '#jobs/job.ts'
import type { Migration } from '#projections/migrations.ts'
import type { AnyProjection } from '#projections/projection.ts'
import type { AnyProcessManager } from '#projections/reactor.ts'

/**
 * Who takes money, and how its messages are known. In `chaos` the sandbox sends every message twice and late; `off`: nobody
 * can pay.
 */
export type BillingSettings = {
  sandbox: 'on' | 'chaos' | 'off'
  /** Stripe in its place, where it is set up; `apiBase` is another address of its API. */
  stripe: {
    secretKey: string
    publishableKey: string
    prices: Readonly<Record<PlanId, string>>
    apiBase: string | null
  } | null
  webhookSecret: string
  /** Where people reach Everchart, without a slash at the end. */
  address: string
}

/** What the outside world lends to a module. */
export type Services = {
  bus: CommandBus
  store: EventStore
  /** The keys of what identifies patients, for what is kept elsewhere than in events. */
  vault: Vault
  /** Typed reads (slonik); a module's `queries.ts` takes it. */
  db: DatabasePool
  /** Plain PostgreSQL, for what is no read model: credentials, files on their way in, advisory locks. */
  pool: Pool
  jobs: JobQueue
  sessions: SessionStore
  clock: () => Date
  /** A random UUID, version 4. */
  newId: () => string
  /** HMAC of a value under the installation's own key, one namespace a purpose; hex. For names that must not be readable. */
  keyedHash: (purpose: string, value: string) => string
  logger: Logger
  billing: BillingSettings
  /** Resolves when the read models that know one of these events have reached a position, or after two seconds. */
  caughtUp: (types: readonly string[], position: Position) => Promise<void>
}

/** What a module gives back: everything main.ts has to plug in. */
export type Module = {
  name: string
  /** Every event of its `events.ts`, one by one or as unions: what can be encrypted, versioned and read again. */
  events: readonly z.ZodType[]
  /** How events stored in older versions are read today; every step there ever was. */
  upcasters?: readonly Upcaster[]
  /** Tables that cannot be derived from events; run once each, in order. */
  migrations?: readonly Migration[]
  projections?: readonly AnyProjection[]
  /** What follows from facts: pure, from the module's `process-manager.ts`. */
  processManagers?: readonly AnyProcessManager[]
  /** What is done in the background, from the module's `jobs.ts`. */
  jobs?: readonly AnyJob<Services>[]
  routes?: (services: Services) => Router
}

/** Declares a job for a manifest. */
export const job = <Data extends object>(described: Job<Services, Data>): Job<Services, Data> => described
