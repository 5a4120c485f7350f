import { z } from 'zod'
import {
  ClosingReason,
  ConfirmationChannel,
  FailureReason,
  MessageLanguage,
  ReminderTiming,
  ReminderType,
} from '#contracts/values/confirmations.ts'
import { AppointmentId, ConfirmationId, PatientId, PracticeId, ReservationId } from '#contracts/values/ids.ts'
import { event } from '#eventstore/event.ts'

const about = { confirmationId: ConfirmationId, patientId: PatientId }
/** Counts the messages: 1 for the first one, one more each time that a user sends it again. */
const attempt = z.number().int().positive()
/** The instant at which the message leaves, ISO in UTC. */
const dueAt = z.iso.datetime()

/** The start of the appointment; missing in older events. */
const startsAt = z.iso.datetime().optional()

/** The reason why a planned message is not needed any more. */
export const WithdrawalReason = z.enum([
  'cancelled',
  'moved',
  'answered',
  'over',
  'patient-removed',
  'deceased',
  'no-plan',
  'channel-off',
  'switched-off',
])
export type WithdrawalReason = z.infer<typeof WithdrawalReason>

/** The history of the question whether an appointment suits: one by channel, and a new one when the appointment moves. */
export const ConfirmationEvent = z.discriminatedUnion('type', [
  /** `reservationId` is that of the slot at `startsAt`. */
  event('ConfirmationPlanned', {
    ...about,
    practiceId: PracticeId,
    appointmentId: AppointmentId,
    reservationId: ReservationId,
    channel: ConfirmationChannel,
    startsAt: z.iso.datetime(),
    dueAt,
  }),
  event('ConfirmationReplanned', { ...about, dueAt, startsAt }),
  /** `delivery` is `outbox` where nothing sends messages, and they are files of the operator. */
  event('ConfirmationSent', { ...about, attempt, delivery: z.enum(['sent', 'outbox']) }),
  event('ConfirmationFailed', { ...about, attempt, reason: FailureReason }),
  event('ConfirmationWithdrawn', { ...about, reason: WithdrawalReason }),
  /** The appointment was cancelled or moved after the message had left, or failed. */
  event('ConfirmationClosed', { ...about, reason: ClosingReason }),
  event('ConfirmationResendRequested', { ...about, attempt, dueAt, startsAt }),
  /** The patient answered by the link. */
  event('ConfirmationAnswered', { ...about, answer: z.enum(['confirmed', 'declined']) }),
])
export type ConfirmationEvent = z.infer<typeof ConfirmationEvent>

/** The settings by which a practice asks its patients. */
export const ConfirmationSettingsChanged = event('ConfirmationSettingsChanged', {
  practiceId: PracticeId,
  reminderType: ReminderType,
  reminderTiming: ReminderTiming,
  autoReschedule: z.boolean(),
  /** Missing in older events. */
  offerFreedSlots: z.boolean().optional(),
  /** Missing in older events. */
  askSatisfaction: z.boolean().optional(),
  /** Missing in older events. */
  language: MessageLanguage.optional(),
  customMessage: z.string().nullable(),
})
export type ConfirmationSettingsChanged = z.infer<typeof ConfirmationSettingsChanged>

/** An id that is made of the number with the key of the installation. */
const number = { numberId: z.uuid() }

/** The wish of the owner of a number: no texts, or texts again. The number itself is not stored. */
export const TextNumberEvent = z.discriminatedUnion('type', [
  event('TextsStopped', number),
  event('TextsResumed', number),
])
export type TextNumberEvent = z.infer<typeof TextNumberEvent>
