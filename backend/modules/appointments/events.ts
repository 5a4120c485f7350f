import { z } from 'zod'
import { AppointmentStatus, AppointmentType } from '#contracts/values/appointments.ts'
import { AppointmentId, PatientId, PracticeId, SeriesId, WaitlistEntryId } from '#contracts/values/ids.ts'
import { Money } from '#contracts/values/money.ts'
import { event } from '#eventstore/event.ts'
import { appointmentDetails, Completion, instant, patientEvent, Slot } from '#modules/schedule/events.ts'

const appointmentId = AppointmentId
const patientId = PatientId
/** The fee and completion time that no longer apply, when a completed appointment gets another status. */
const revertedCompletion = Completion.nullable()
/** True when the slot that the appointment leaves was released in the same append, so that no job has to. */
const isReleased = z.boolean().optional()

/** The history of one appointment. Its slots were reserved in the provider's schedule before. */
export const AppointmentEvent = z.discriminatedUnion('type', [
  patientEvent('AppointmentBooked', {
    appointmentId,
    practiceId: PracticeId,
    patientId,
    slot: Slot,
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
    isReleased,
    waitlistEntryId: WaitlistEntryId.nullable(),
  }),
  /**
   * A change of details. `from` and `to` contain only the changed fields. `slot` is that of an open appointment that becomes an
   * emergency.
   */
  patientEvent('AppointmentDetailsChanged', {
    appointmentId,
    patientId,
    from: z.strictObject(appointmentDetails).partial(),
    to: z.strictObject(appointmentDetails).partial(),
    slot: Slot.optional(),
  }),
  event('AppointmentStatusChanged', {
    appointmentId,
    patientId,
    startsAt: instant,
    from: AppointmentStatus,
    to: AppointmentStatus,
    revertedCompletion,
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
  /** `isOnDayList`: the day list still shows it, struck through. `slot` is released. */
  event('AppointmentCancelled', {
    appointmentId,
    patientId,
    slot: Slot,
    from: AppointmentStatus,
    isOnDayList: z.boolean(),
    cause: z.enum(['requested', 'patient-removed']),
    revertedCompletion,
    isReleased,
  }),
  /** A cancelled appointment that the day list still showed is hidden from it. */
  event('AppointmentRemovedFromDayList', { appointmentId, patientId, startsAt: instant }),
  /** Deleted as if never booked: no list, figure or trend counts it. `slot` is released. */
  event('AppointmentRemoved', { appointmentId, patientId, slot: Slot, reason: z.enum(['sample-removed']) }),
  /** An appointment of the sample practice becomes one of the practice's own. */
  event('SampleAppointmentKept', { appointmentId, patientId }),
])
export type AppointmentEvent = z.infer<typeof AppointmentEvent>
