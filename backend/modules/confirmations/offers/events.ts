import { z } from 'zod'
import { AppointmentType } from '#contracts/values/appointments.ts'
import { ConfirmationChannel, FailureReason, OfferEnd } from '#contracts/values/confirmations.ts'
import {
  AppointmentId,
  PatientId,
  PracticeId,
  ProviderId,
  ReservationId,
  SlotOfferId,
  WaitlistEntryId,
} from '#contracts/values/ids.ts'
import { event } from '#eventstore/event.ts'

const about = { slotOfferId: SlotOfferId, patientId: PatientId }
/** An ISO instant in UTC. */
const instant = z.iso.datetime()

/** The history of one offer: a slot that became free, for one patient on the waitlist. */
export const SlotOfferEvent = z.discriminatedUnion('type', [
  /**
   * `number` counts the offers of one freed slot, which `reservationId` names; the slot is `duration` minutes long, and the
   * patient needs `neededMinutes` of them.
   */
  event('SlotOffered', {
    ...about,
    number: z.number().int().positive(),
    practiceId: PracticeId,
    waitlistEntryId: WaitlistEntryId,
    providerId: ProviderId,
    reservationId: ReservationId,
    startsAt: instant,
    duration: z.number().int().positive(),
    neededMinutes: z.number().int().positive(),
    appointmentType: AppointmentType,
    channel: ConfirmationChannel,
    dueAt: instant,
    expiresAt: instant,
  }),
  /** `delivery` is `outbox` where nothing sends messages. */
  event('SlotOfferSent', { ...about, delivery: z.enum(['sent', 'outbox']) }),
  event('SlotOfferFailed', { ...about, reason: FailureReason }),
  event('SlotOfferAccepted', { ...about, appointmentId: AppointmentId }),
  event('SlotOfferDeclined', about),
  event('SlotOfferWithdrawn', { ...about, reason: OfferEnd }),
])
export type SlotOfferEvent = z.infer<typeof SlotOfferEvent>
