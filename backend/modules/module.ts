import type Router from '@koa/router'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { DatabasePool } from 'slonik'
import type { z } from 'zod'
import type { PatientFields } from '#contracts/patients.ts'
import type { AppointmentId, ReservationId, PatientId, PracticeId } from '#contracts/values/ids.ts'
import type { PlanId } from '#contracts/values/plans.ts'
import type { AppointmentStatus, AppointmentType } from '#contracts/values/appointments.ts'
import type { CommandBus, CommandContext } from '#eventstore/command-bus.ts'
import type { Upcaster } from '#eventstore/event.ts'
import type { EventStore } from '#eventstore/event-store.ts'
import type { Position } from '#eventstore/event.ts'
import type { KeyStore } from '#encryption/key-store.ts'
import type { SessionStore } from '#http/session.ts'
import type { AnyJob, Job, JobQueue } from '#jobs/job.ts'
import type { Migration } from '#database/migrations.ts'
import type { AnyProjection } from '#projections/projection.ts'
import type { AnyProcessManager } from '#process-managers/process-manager.ts'

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
  keyStore: KeyStore
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
  /** Those who write a sample practice, and take it away again, in the order in which they need each other. */
  sampleContributors: readonly SampleContributor[]
  /** Whether demo users get a sample practice. */
  hasSamplePractices: boolean
  /** Gives a practice what it begins with. Done again by jobs, should it not come that far. */
  afterPracticeSetUp: (practice: PracticeSetup) => Promise<void>
  /** Resolves when the read models that know one of these events have reached a position, or after two seconds. */
  waitUntilCaughtUp: (types: readonly string[], position: Position) => Promise<void>
}

/** A practice whose set-up was asked for; `isNew` when it was there for the first time. */
export type PracticeSetup = { practiceId: PracticeId; isNew: boolean }

/** A patient of a sample practice: when they came, and when their medical history was written down. ISO instants in UTC. */
export type PlannedPatient = {
  patientId: PatientId
  registeredAt: string
  fields: PatientFields
  historyRecordedAt: string
}

/** An appointment of a sample practice. ISO instants in UTC: booked, then what it came to. */
export type PlannedAppointment = {
  appointmentId: AppointmentId
  reservationId: ReservationId
  patientId: PatientId
  startsAt: string
  /** Minutes. */
  duration: number
  type: AppointmentType
  reason: string
  bookedAt: string
  status: AppointmentStatus
  statusAt: string
}

/** All of a sample practice. From the same beginnings follows the same plan, whoever carries it out. */
export type SamplePlan = {
  practiceId: PracticeId
  /** The day of `at` on the practice's calendar, YYYY-MM-DD. */
  today: string
  /** The moment around which it is dated; an ISO instant in UTC. */
  at: string
  patients: readonly PlannedPatient[]
  appointments: readonly PlannedAppointment[]
}

/**
 * A record that is still marked as a sample, at the revision at which it was looked at. `wanted`: somebody has worked on it, or
 * something of the practice's own needs it; only such a record may be kept.
 */
export type SampleRecord = {
  kind: 'patient' | 'appointment'
  id: string
  revision: bigint
  isInUse: boolean
  shouldKeep: boolean
}

/** A module's share in a sample practice. All may be asked again, and by two at once, and do nothing twice. */
export type SampleContributor = {
  seed(services: Services, plan: SamplePlan, context: CommandContext): Promise<void>
  /** Removes its records, or takes the mark from those to keep. One that was changed meanwhile is left as it is. */
  keepOrRemove(services: Services, records: readonly SampleRecord[], context: CommandContext): Promise<void>
  /** Once none is left: sees to what a process that died may have left behind. */
  cleanUp?: (services: Services, plan: SamplePlan, context: CommandContext) => Promise<void>
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
  sample?: SampleContributor
  /** What it does for a practice that has just been set up, before that is answered. */
  afterPracticeSetUp?: (services: Services, practice: PracticeSetup) => Promise<void>
}

/** Declares a job for a manifest. */
export const defineJob = <Data extends object>(described: Job<Services, Data>): Job<Services, Data> => described
