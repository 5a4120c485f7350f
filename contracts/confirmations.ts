import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import {
  ClosingReason,
  ConfirmationChannel,
  ConfirmationStatus,
  FailureReason,
  maxCustomMessage,
  MessageLanguage,
  ReminderTiming,
  ReminderType,
  SlotOfferReason,
  SlotOfferStatus,
} from './values/confirmations.ts'
import { AppointmentId, ConfirmationId, PatientId, SlotOfferId } from './values/ids.ts'
import { optionalText } from './values/text.ts'

/** The paths of the pages to which links in messages to patients lead. They need no session and no script. */
export const confirmationPages = {
  answer: '/confirm/:token',
  calendar: '/confirm/:token/appointment.ics',
  offer: '/offer/:token',
  survey: '/survey/:token',
} as const

/**
 * The question to a patient whether an appointment suits, by one channel. Instants are ISO texts in UTC. `sentAt` and
 * `delivery` are null until it was sent; `confirmedAt` is the instant of the answer, also of a refusal.
 */
export const Confirmation = z.object({
  id: ConfirmationId,
  appointmentId: AppointmentId,
  patientId: PatientId,
  patientName: z.string(),
  appointmentDate: z.string(),
  reminderType: ConfirmationChannel,
  status: ConfirmationStatus,
  scheduledFor: z.string(),
  sentAt: z.string().nullable(),
  confirmedAt: z.string().nullable(),
  /** The number in the national format of its country. */
  phoneNumber: z.string().nullable(),
  email: z.string().nullable(),
  failure: FailureReason.nullable(),
  /** `outbox`: nothing sends messages in this installation, and the message is a file of its operator. */
  delivery: z.enum(['sent', 'outbox']).nullable(),
  /** The number of messages that were sent, or tried. */
  attempts: z.number().int(),
  /** The appointment was cancelled or moved before the patient answered; otherwise null. */
  closed: ClosingReason.nullable(),
})
export type Confirmation = z.infer<typeof Confirmation>

const access = { permission: 'scheduling' } as const
const params = z.object({ confirmationId: ConfirmationId })

/** Lists confirmations, latest appointment first. `X-Total-Count` and `Link` as in every list. */
export const listConfirmations = endpoint({
  method: 'GET',
  path: '/api/appointment-confirmations',
  access,
  query: z.object({
    limit: z.coerce.number().int().min(1).max(200).default(50),
    status: ConfirmationStatus.optional(),
    appointmentId: AppointmentId.optional(),
    cursor: z.string().max(500).optional(),
  }),
  reply: z.array(Confirmation),
})

/** The numbers of confirmations that were sent, that patients answered, and that are still to be sent. */
export const ConfirmationCounts = z.object({
  total: z.number().int(),
  pending: z.number().int(),
  sent: z.number().int(),
  confirmed: z.number().int(),
  declined: z.number().int(),
  failed: z.number().int(),
})
export type ConfirmationCounts = z.infer<typeof ConfirmationCounts>

/** Counts the practice's confirmations by status. */
export const countConfirmations = endpoint({
  method: 'GET',
  path: '/api/appointment-confirmations/counts',
  access,
  reply: ConfirmationCounts,
})

/**
 * A confirmation with what happened to it, oldest first. `answerUrl` is the patient's link, in installations that only store
 * messages: to try what a patient sees.
 */
export const ConfirmationDetails = Confirmation.extend({
  history: z.array(
    z.object({
      at: z.string(),
      /** The name of the user; null for what happened by itself, and for the patient. */
      by: z.string().nullable(),
      what: z.enum([
        'planned',
        'replanned',
        'sent',
        'failed',
        'withdrawn',
        'appointment-cancelled',
        'appointment-moved',
        'resend-requested',
        'confirmed',
        'declined',
      ]),
    }),
  ),
  answerUrl: z.string().nullable(),
})
export type ConfirmationDetails = z.infer<typeof ConfirmationDetails>

export const getConfirmation = endpoint({
  method: 'GET',
  path: '/api/appointment-confirmations/:confirmationId',
  access,
  params,
  reply: ConfirmationDetails,
})

/**
 * Sends a message again, at once or after the quiet hours of the night. 409 `not-resendable` unless it was sent or failed; 409
 * `appointment-over` for an appointment that has begun, was cancelled or was moved.
 */
export const resendConfirmation = endpoint({
  method: 'POST',
  path: '/api/appointment-confirmations/:confirmationId/resend',
  access,
  params,
  body: z.strictObject({}).optional(),
  reply: Confirmation,
})

/** The settings by which a practice asks its patients. `customMessage` is added to each message. */
export const ConfirmationConfig = z.strictObject({
  reminderType: ReminderType,
  reminderTiming: ReminderTiming,
  autoReschedule: z.boolean({ error: 'Please choose' }),
  /** Offers slots that become free to the waitlist; stays as it is when it is missing. */
  offerFreedSlots: z.boolean({ error: 'Please choose' }).optional(),
  /** Asks patients how satisfied they were after an appointment; stays as it is when it is missing. */
  askSatisfaction: z.boolean({ error: 'Please choose' }).optional(),
  /** The language of messages to patients; stays as it is when it is missing. */
  language: MessageLanguage.optional(),
  customMessage: optionalText(maxCustomMessage).default(null),
})
export type ConfirmationConfig = z.output<typeof ConfirmationConfig>

/** The settings with how this installation sends messages. */
export const ConfirmationConfigReply = z.object({
  reminderType: ReminderType,
  reminderTiming: ReminderTiming,
  autoReschedule: z.boolean(),
  offerFreedSlots: z.boolean(),
  askSatisfaction: z.boolean(),
  language: MessageLanguage,
  customMessage: z.string().nullable(),
  /** `outbox`: nothing sends such messages, and they are files of the operator. */
  channels: z.object({ sms: z.enum(['vendor', 'outbox']), email: z.enum(['vendor', 'outbox']) }),
  practiceName: z.string(),
})
export type ConfirmationConfigReply = z.infer<typeof ConfirmationConfigReply>

export const getConfirmationConfig = endpoint({
  method: 'GET',
  path: '/api/appointment-confirmations/config',
  access,
  reply: ConfirmationConfigReply,
})

/** Saves the settings. Questions that were not sent yet are planned again. */
export const saveConfirmationConfig = endpoint({
  method: 'POST',
  path: '/api/appointment-confirmations/config',
  access: { permission: 'settings' },
  body: ConfirmationConfig,
  reply: ConfirmationConfigReply,
})

/**
 * The offer of a slot that became free, to a patient on the waitlist. Instants are ISO texts in UTC, `duration` in minutes.
 * `reason` says why nothing was sent, or why it ended without an answer. `appointmentId` is that of an accepted offer. `answerUrl`
 * is the patient's link, in installations that only store messages, while it is open.
 */
export const SlotOffer = z.object({
  id: SlotOfferId,
  patientId: PatientId,
  patientName: z.string(),
  providerName: z.string(),
  startsAt: z.string(),
  duration: z.number().int(),
  channel: ConfirmationChannel,
  status: SlotOfferStatus,
  reason: SlotOfferReason.nullable(),
  dueAt: z.string(),
  expiresAt: z.string(),
  sentAt: z.string().nullable(),
  endedAt: z.string().nullable(),
  delivery: z.enum(['sent', 'outbox']).nullable(),
  appointmentId: AppointmentId.nullable(),
  answerUrl: z.string().nullable(),
})
export type SlotOffer = z.infer<typeof SlotOffer>

/** Lists the offers of freed slots, latest first. `X-Total-Count` and `Link` as in every list. */
export const listSlotOffers = endpoint({
  method: 'GET',
  path: '/api/slot-offers',
  access,
  query: z.object({
    limit: z.coerce.number().int().min(1).max(200).default(50),
    cursor: z.string().max(500).optional(),
  }),
  reply: z.array(SlotOffer),
})
