import { z } from 'zod'
import {
  AppointmentId,
  ReservationId,
  PatientId,
  PracticeId,
  ProviderId,
  SeriesId,
  WaitlistEntryId,
} from '#contracts/values/ids.ts'
import { Money } from '#contracts/values/money.ts'
import { AppointmentStatus, AppointmentType } from '#contracts/values/appointments.ts'
import { event, eventAbout, phi } from '#eventstore/event.ts'

const appointmentId = AppointmentId
const patientId = PatientId

/** What these events say of a patient is sealed with the key of that patient. */
export const patientEvent = eventAbout('patientId')

/** An ISO instant in UTC. */
export const instant = z.iso.datetime()

/**
 * A place in a provider's schedule. `days` are those it touches there (YYYY-MM-DD), which name its streams; `duration` is in
 * minutes; `overlaps` names the appointments that were there already and were knowingly overlapped.
 */
export const Slot = z.strictObject({
  holdId: ReservationId,
  providerId: ProviderId,
  startsAt: instant,
  duration: z.number().int().positive(),
  days: z.array(z.iso.date()).min(1).max(2),
  overlaps: z.array(AppointmentId),
})
export type Slot = z.infer<typeof Slot>

/** What an appointment is about. */
export const appointmentDetails = {
  type: AppointmentType,
  reason: phi(z.string().nullable()),
  notes: phi(z.string().nullable()),
}

/** Everything that can have happened to one appointment. Its place was decided in the provider's schedule before. */
export const AppointmentEvent = z.discriminatedUnion('type', [
  patientEvent('AppointmentBooked', {
    appointmentId,
    practiceId: PracticeId,
    patientId,
    place: Slot,
    ...appointmentDetails,
    status: AppointmentStatus,
    seriesId: SeriesId.nullable(),
    waitlistEntryId: WaitlistEntryId.nullable(),
  }),
  /** Another time, length or provider. */
  event('AppointmentRescheduled', {
    appointmentId,
    patientId,
    from: Slot,
    to: Slot,
    waitlistEntryId: WaitlistEntryId.nullable(),
  }),
  /** Only the fields concerned, as they were and as they are. */
  patientEvent('AppointmentDetailsChanged', {
    appointmentId,
    patientId,
    from: z.strictObject(appointmentDetails).partial(),
    to: z.strictObject(appointmentDetails).partial(),
  }),
  /** `takesBack` is what had been fixed when it had been completed and is not after all. */
  event('AppointmentStatusChanged', {
    appointmentId,
    patientId,
    startsAt: instant,
    from: AppointmentStatus,
    to: AppointmentStatus,
    takesBack: z.strictObject({ fee: Money, completedAt: instant }).nullable(),
  }),
  /** The appointment took place; its fee is fixed. */
  event('AppointmentCompleted', {
    appointmentId,
    patientId,
    startsAt: instant,
    from: AppointmentStatus,
    type: AppointmentType,
    fee: Money,
    completedAt: instant,
  }),
  /** `listed`: it stays on its day, struck through. `place` is free again. */
  event('AppointmentCancelled', {
    appointmentId,
    patientId,
    place: Slot,
    from: AppointmentStatus,
    listed: z.boolean(),
    cause: z.enum(['asked', 'patient-removed']),
    takesBack: z.strictObject({ fee: Money, completedAt: instant }).nullable(),
  }),
  /** A cancelled appointment that had stayed on its day was taken off it. */
  event('AppointmentUnlisted', { appointmentId, patientId, startsAt: instant }),
  /** Taken out altogether, because it never was: no list, figure or trend counts it any more. `place` is free again. */
  event('AppointmentRemoved', { appointmentId, patientId, place: Slot, reason: z.enum(['sample-removed']) }),
  /** Came with the sample practice, and belongs to the practice from now on. */
  event('SampleAppointmentKept', { appointmentId, patientId }),
])
export type AppointmentEvent = z.infer<typeof AppointmentEvent>
