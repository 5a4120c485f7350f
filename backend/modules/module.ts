import type Router from '@koa/router'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { DatabasePool } from 'slonik'
import type { z } from 'zod'
import type { PracticeId } from '#contracts/values/ids.ts'
import type { CommandBus } from '#eventstore/command-bus.ts'
import type { Position, Upcaster } from '#eventstore/event.ts'
import type { EventStore } from '#eventstore/event-store.ts'
import type { ErasableKeyStore } from '#encryption/key-store.ts'
import type { SessionStore } from '#http/session.ts'
import type { WriteQuotas } from '#http/write-quotas.ts'
import type { AnyJob, Job, JobQueue } from '#jobs/job.ts'
import type { Mail } from '#mail/deliveries.ts'
import type { Sms } from '#sms/deliveries.ts'
import type { Migration } from '#database/migrations.ts'
import type { Timeouts } from '#database/timeouts.ts'
import type { UptimeLog } from '#database/uptime-log.ts'
import type { VendorLog } from '#database/vendor-log.ts'
import type { AnyProjection } from '#projections/projection.ts'
import type { AnyProcessManager } from '#process-managers/process-manager.ts'
import type { ServiceStates } from '#runtime/health.ts'
import type { LiveUpdate } from './changes/public.ts'
import type { SampleContributor } from './samples/public.ts'

/** The infrastructure that the composition root provides to every module. */
export type Services = {
  bus: CommandBus
  store: EventStore
  /** Reads a stream as it is stored, with its encrypted fields: to check that they are. */
  readStored: EventStore['read']
  /** Data keys, for encrypted values that are stored outside of events, and to erase those of a subject. */
  keyStore: ErasableKeyStore
  /** Typed reads (slonik), for a module's `queries.ts`. */
  db: DatabasePool
  /** Plain PostgreSQL, for tables that are not read models: credentials, uploads in progress, advisory locks. */
  pool: Pool
  /** Like `pool`, but a commit does not wait for the disk: for counters that may lose their last half second. */
  relaxedPool: Pool
  jobs: JobQueue
  /** Outgoing mail, for jobs only: a request does not wait for a mail server. */
  mail: Mail
  /** Outgoing text messages, for jobs only. */
  sms: Sms
  /** Records how calls of vendors end. */
  vendors: VendorLog
  /** Records the minutes in which the application works. */
  uptime: UptimeLog
  /** Returns which services respond to this instance. */
  checkServices: () => Promise<ServiceStates>
  sessions: SessionStore
  /** Counts what practices write. */
  quotas: WriteQuotas
  clock: () => Date
  /** Returns a new UUID: random, or with a purpose the same for every attempt at one request. */
  newId: (purpose?: string) => string
  /**
   * Returns the HMAC of a value under the installation's own key, as hex. `purpose` separates namespaces. For names that
   * must not be readable.
   */
  keyedHash: (purpose: string, value: string) => string
  logger: Logger
  timeouts: Timeouts
  /** Settings by module name; a module reads its own through the key that `defineSettings` returned. */
  settings: Settings
  /** All manifests of this process, for a module that collects contributions of the others. */
  modules: readonly Module[]
  /**
   * Resolves when the read models that handle one of these events have reached a position, or after a time-out. Returns
   * whether all of them have reached it.
   */
  waitUntilCaughtUp: (types: readonly string[], position: Position) => Promise<boolean>
  /** Returns a position up to which queries return the changes of every event; null before the first one. */
  getReadPosition: () => Position | null
}

export type Settings = Readonly<Record<string, object>>

/** The typed key of one module's settings. */
export type SettingsKey<Values extends object> = {
  readonly name: string
  provide(values: Values): Settings
  /** Throws when the composition root did not provide them. */
  read(services: Pick<Services, 'settings'>): Values
}

/** Declares the settings that a module reads and the composition root provides, under the module's name. */
export const defineSettings = <Values extends object>(name: string): SettingsKey<Values> => ({
  name,
  provide: (values) => ({ [name]: values }),
  read({ settings }) {
    const values = settings[name]
    if (!values) throw new Error(`The settings of the module ${name} were not provided`)
    return values as Values
  },
})

/** A practice whose set-up was requested; `isNew` when this request created it. */
export type PracticeSetup = { practiceId: PracticeId; isNew: boolean }

/** The manifest of a module: everything that the composition root plugs in. */
export type Module = {
  name: string
  /** Every event of its `events.ts`, one by one or as unions, to be encrypted, versioned and upcast. */
  events: readonly z.ZodType[]
  /** Upcasters of events that were stored in older versions; they are never deleted. */
  upcasters?: readonly Upcaster[]
  /** Tables that cannot be derived from events; each runs once, in order. */
  migrations?: readonly Migration[]
  projections?: readonly AnyProjection[]
  /** Pure reactions to events, from the module's `process-manager.ts`. */
  processManagers?: readonly AnyProcessManager[]
  /** Background work, from the module's `jobs.ts`. */
  jobs?: readonly AnyJob<Services>[]
  routes?: (services: Services) => Router
  /** The key of its settings; the process does not start without them. */
  settings?: { readonly name: string }
  /** Events that make data on open screens stale. */
  liveUpdates?: readonly LiveUpdate[]
  /** Its part of a sample practice. */
  sample?: SampleContributor<Services>
  /** Categories of streams that are written as long as they fit, also when the disk has no room for other events. */
  essentialCategories?: readonly string[]
  /** Runs after a practice was set up, before the request is answered. */
  afterPracticeSetUp?: (services: Services, practice: PracticeSetup) => Promise<void>
}

/** Declares a job for a manifest. */
export const defineJob = <Data extends object>(job: Job<Services, Data>): Job<Services, Data> => job
