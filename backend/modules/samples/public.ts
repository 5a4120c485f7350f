import type { PatientFields } from '#contracts/patients.ts'
import type { AppointmentStatus, AppointmentType } from '#contracts/values/appointments.ts'
import type { AppointmentId, PatientId, PracticeId, ReservationId } from '#contracts/values/ids.ts'
import type { CommandContext } from '#eventstore/command-bus.ts'

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
