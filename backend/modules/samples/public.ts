import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import type { PatientFields } from '#contracts/patients.ts'
import type { AppointmentStatus, AppointmentType } from '#contracts/values/appointments.ts'
import type { AppointmentId, PatientId, PracticeId, ReservationId } from '#contracts/values/ids.ts'
import { type AccessStatus, showsSampleData } from '#contracts/values/tiers.ts'
import { prepared } from '#database/prepared.ts'
import type { CommandContext } from '#eventstore/command.ts'

const HasSamplesRow = z.object({ hasSamples: z.boolean() })

/** The records that figures and lists are made of: those of one practice, with or without its sample records. */
export type RecordScope = { practiceId: string; includeSamples: boolean }

/**
 * Returns the records that a caller sees. From the moment a plan opens these are the practice's own, although the removal of
 * its sample records takes a few seconds more.
 */
export const recordScope = (
  caller: Pick<AccessStatus, 'subscriptionStatus' | 'hasLapsed'> & { practiceId: string },
): RecordScope => ({ practiceId: caller.practiceId, includeSamples: showsSampleData(caller) })

/** Returns the SQL condition for rows in a scope. The table needs the columns `practice_id` and `sample`. */
export function inScope({ practiceId, includeSamples }: RecordScope, table: string) {
  const column = (name: string) => sql.identifier([table, name])
  const isOfPractice = sql.fragment`${column('practice_id')} = ${practiceId}`
  return includeSamples ? isOfPractice : sql.fragment`${isOfPractice} and not ${column('sample')}`
}

/** Returns whether a practice still has sample records, seeded or being removed. */
export const hasSampleRecords = (db: CommonQueryMethods, practiceId: string): Promise<boolean> =>
  db.oneFirst(
    prepared(sql.type(HasSamplesRow)`
      select exists (select from read.sample_records where practice_id = ${practiceId} and sample) as "hasSamples"`),
  )

/** A patient of a sample practice, with the instants (ISO, UTC) of registration and of the medical history. */
export type PlannedPatient = {
  patientId: PatientId
  registeredAt: string
  fields: PatientFields
  historyRecordedAt: string
}

/** An appointment of a sample practice. Instants are ISO texts in UTC. */
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
  /** The final status, and since when. */
  status: AppointmentStatus
  statusAt: string
}

/** The contents of a sample practice. The same parameters always give the same plan. */
export type SamplePlan = {
  practiceId: PracticeId
  /** The day of `at` on the practice's calendar, YYYY-MM-DD. */
  today: string
  /** The reference instant for all dates; an ISO text in UTC. */
  at: string
  patients: readonly PlannedPatient[]
  appointments: readonly PlannedAppointment[]
}

/**
 * A record that is still marked as a sample, at the revision that was inspected. `isInUse`: a user edited it, or one of the
 * practice's own records refers to it; only such a record may be kept.
 */
export type SampleRecord = {
  kind: 'patient' | 'appointment'
  id: string
  revision: bigint
  isInUse: boolean
  shouldKeep: boolean
}

/** A module's part of a sample practice. All functions are idempotent and may run concurrently. */
export type SampleContributor<Services> = {
  seed(services: Services, plan: SamplePlan, context: CommandContext): Promise<void>
  /** Removes its records, or unmarks those to keep. Skips a record whose revision has changed. */
  keepOrRemove(services: Services, records: readonly SampleRecord[], context: CommandContext): Promise<void>
  /** Runs when no record is left, and releases slots that a crashed process left reserved. */
  cleanUp?: (services: Services, plan: SamplePlan, context: CommandContext) => Promise<void>
}
