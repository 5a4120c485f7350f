import { z } from 'zod'
import { AppointmentStatus, AppointmentType } from '#contracts/values/appointments.ts'
import {
  AppointmentId,
  PatientId,
  PracticeId,
  ProviderId,
  ReservationId,
  SeriesId,
  WaitlistEntryId,
} from '#contracts/values/ids.ts'
import { Money } from '#contracts/values/money.ts'
import { event, eventAbout, phi } from '#eventstore/event.ts'

/** Declares an event whose `phi(…)` fields are encrypted with the data key of its patient. */
export const patientEvent = eventAbout('patientId')

/** An ISO instant in UTC. */
export const instant = z.iso.datetime()

/**
 * A slot in a provider's schedule. `days` (YYYY-MM-DD) are the dates it touches in the time zone that the provider was
 * added with; they name the streams. `duration` is in minutes. `overlaps` are the appointments that were already there and
 * were knowingly overlapped.
 */
export const Slot = z.strictObject({
  reservationId: ReservationId,
  providerId: ProviderId,
  startsAt: instant,
  duration: z.number().int().positive(),
  days: z.array(z.iso.date()).min(1).max(2),
  overlaps: z.array(AppointmentId),
})
export type Slot = z.infer<typeof Slot>

/** The medical details of an appointment. */
export const appointmentDetails = {
  type: AppointmentType,
  reason: phi(z.string().nullable()),
  notes: phi(z.string().nullable()),
}

/** The fee and completion time of an appointment, both fixed when it is completed. */
export const Completion = z.strictObject({ fee: Money, completedAt: instant })

const reservation = { appointmentId: AppointmentId, practiceId: PracticeId, patientId: PatientId, slot: Slot }

/** True when the appointment was booked or moved in the same append, so that no job has to finish it. */
const isConfirmed = z.boolean().optional()

/**
 * The reservations on one day of one provider. A reservation for a booking or a move contains everything the appointment
 * needs, so that it can be confirmed after a crash.
 */
export const ScheduleEvent = z.discriminatedUnion('type', [
  /** `completion` is set when the appointment is entered after it took place. */
  patientEvent('SlotReservedForBooking', {
    ...reservation,
    ...appointmentDetails,
    isConfirmed,
    status: AppointmentStatus,
    completion: Completion.nullable(),
    seriesId: SeriesId.nullable(),
    waitlistEntryId: WaitlistEntryId.nullable(),
  }),
  /** `expectedRevision` is the revision of the appointment that the user saw; null when the request named none. */
  patientEvent('SlotReservedForMove', {
    ...reservation,
    isConfirmed,
    previousReservationId: ReservationId,
    expectedRevision: z.number().int().nullable(),
    change: z.strictObject({ ...appointmentDetails, status: AppointmentStatus }).partial(),
    completion: Completion.nullable(),
    waitlistEntryId: WaitlistEntryId.nullable(),
  }),
  /** The second day of an appointment past midnight, reserved before the first day decides. */
  event('SecondDayReserved', reservation),
  /** The reservation was abandoned before this day accepted it, and can never be accepted. */
  event('ReservationWithdrawn', { reservationId: ReservationId, appointmentId: AppointmentId }),
  event('SlotReleased', { reservationId: ReservationId, appointmentId: AppointmentId }),
])
export type ScheduleEvent = z.infer<typeof ScheduleEvent>

/** The events that reserve a slot on a day. */
export type SlotReserved = Exclude<ScheduleEvent, { type: 'ReservationWithdrawn' | 'SlotReleased' }>

/** The reservations from which an appointment is booked or moved. */
export type ReservationEvent = Exclude<SlotReserved, { type: 'SecondDayReserved' }>
