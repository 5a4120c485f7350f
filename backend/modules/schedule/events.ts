import { z } from 'zod'
import {
  AppointmentId,
  ReservationId,
  PatientId,
  PracticeId,
  SeriesId,
  WaitlistEntryId,
} from '#contracts/values/ids.ts'
import { Money } from '#contracts/values/money.ts'
import { AppointmentStatus } from '#contracts/values/appointments.ts'
import { event } from '#eventstore/event.ts'
import { appointmentDetails, instant, patientEvent, Slot } from '#modules/appointments/events.ts'

const held = { appointmentId: AppointmentId, practiceId: PracticeId, patientId: PatientId, place: Slot }
/** What completing costs, should the appointment be completed with this very booking or change. */
const completion = z.strictObject({ fee: Money, completedAt: instant }).nullable()

/**
 * One day of one provider: who has which time. What is held for a booking or a move carries all of it, so that it can be
 * carried on with whatever happens: the appointment follows from it.
 */
export const ScheduleEvent = z.discriminatedUnion('type', [
  patientEvent('SlotHeldForBooking', {
    ...held,
    ...appointmentDetails,
    status: AppointmentStatus,
    completion,
    seriesId: SeriesId.nullable(),
    waitlistEntryId: WaitlistEntryId.nullable(),
  }),
  /** `madeOn` is the revision of the appointment on which the move was asked for, when one was sent. */
  patientEvent('SlotHeldForMove', {
    ...held,
    leaves: ReservationId,
    madeOn: z.number().int().nullable(),
    change: z.strictObject({ ...appointmentDetails, status: AppointmentStatus }).partial(),
    completion,
    waitlistEntryId: WaitlistEntryId.nullable(),
  }),
  /** The second day of an appointment that goes on past midnight, held before the first decides. */
  event('SlotHeldAlong', held),
  /** It can never be held here any more: whoever asked for it did not come to an end. */
  event('SlotGivenUp', { holdId: ReservationId, appointmentId: AppointmentId }),
  event('SlotReleased', { holdId: ReservationId, appointmentId: AppointmentId }),
])
export type ScheduleEvent = z.infer<typeof ScheduleEvent>
