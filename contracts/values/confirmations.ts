import { z } from 'zod'

/** The status of a confirmation (spec page 2, section 4.5). */
export const ConfirmationStatus = z.enum(['pending', 'sent', 'confirmed', 'declined', 'failed'])
export type ConfirmationStatus = z.infer<typeof ConfirmationStatus>

/** The reason why nothing was sent, or why a message failed. */
export const FailureReason = z.enum(['no-address', 'refused', 'outcome-unknown', 'unavailable'])
export type FailureReason = z.infer<typeof FailureReason>

/** The change of an appointment whose patient was asked about it and had not answered. */
export const ClosingReason = z.enum(['cancelled', 'moved'])
export type ClosingReason = z.infer<typeof ClosingReason>

/** The status of the offer of a freed slot. */
export const SlotOfferStatus = z.enum(['pending', 'sent', 'accepted', 'declined', 'failed', 'withdrawn'])
export type SlotOfferStatus = z.infer<typeof SlotOfferStatus>

/** The reason why an offer ends without an answer. */
export const OfferEnd = z.enum(['expired', 'taken', 'not-waiting', 'no-plan', 'off'])
export type OfferEnd = z.infer<typeof OfferEnd>

/** The reason why an offer was not sent, or ended without an answer. */
export const SlotOfferReason = z.enum([...FailureReason.options, ...OfferEnd.options])
export type SlotOfferReason = z.infer<typeof SlotOfferReason>

/** The way by which a patient is asked. */
export const ConfirmationChannel = z.enum(['sms', 'email'])
export type ConfirmationChannel = z.infer<typeof ConfirmationChannel>

/** The ways that a practice chose (spec page 2, section 5.2). */
export const ReminderType = z.enum(['sms', 'email', 'both'], { error: 'Please choose how to ask' })
export type ReminderType = z.infer<typeof ReminderType>

/** The time between the question and the appointment (spec page 2, section 5.2). */
export const ReminderTiming = z.enum(['24h', '48h', '72h', '1week'], { error: 'Please choose when to ask' })
export type ReminderTiming = z.infer<typeof ReminderTiming>

/** The language of messages to patients. */
export const MessageLanguage = z.enum(['en', 'es'], { error: 'Please choose the language' })
export type MessageLanguage = z.infer<typeof MessageLanguage>

/** Local days between the question and the appointment. */
export const daysBefore: Readonly<Record<ReminderTiming, number>> = { '24h': 1, '48h': 2, '72h': 3, '1week': 7 }

/** Maximum length of the practice's own sentence in a message. */
export const maxCustomMessage = 300

/** The settings of a practice that has saved none. Email works with every mail server; texts need a provider. */
export const defaultConfirmationSettings = {
  reminderType: 'email',
  reminderTiming: '24h',
  autoReschedule: false,
  offerFreedSlots: false,
  askSatisfaction: false,
  language: 'en',
  customMessage: null,
} as const

/** Returns the channels of a reminder type. */
export const channelsOf = (type: ReminderType): readonly ConfirmationChannel[] =>
  type === 'both' ? ['sms', 'email'] : [type]

/** Returns a sentence with its full stop, unless it ends with an abbreviation that has one, as Spanish times do. */
export const endSentence = (text: string): string => (text.endsWith('.') ? text : `${text}.`)

type TextMessage = {
  practiceName: string
  /** The day and time as the patient reads them, such as "Friday, November 27, 2026 at 9:00 AM". */
  when: string
  customMessage: string | null
  link: string
  /** True where an answer to the message is received. */
  canReply: boolean
  language: MessageLanguage
}

/**
 * Returns the text message that asks a patient. It names no reason and no type of appointment: others may read a screen. No word
 * of it is one that providers reserve (STOP, CANCEL, END, QUIT, YES, START).
 */
export const composeText = ({ practiceName, when, customMessage, link, canReply, language }: TextMessage): string => {
  const [appointment, reply, decide] =
    language === 'es'
      ? [endSentence(`su cita es el ${when}`), 'Responda C para confirmar.', 'Confirme o rechace:']
      : [endSentence(`your appointment is on ${when}`), 'Reply C to confirm.', 'Confirm or decline:']
  return [`${practiceName}: ${appointment}`, canReply ? reply : null, `${decide} ${link}`, customMessage]
    .filter((part) => part !== null)
    .join(' ')
}

/** Returns the number of segments that a text message is charged as: GSM 7-bit or UCS-2 (3GPP TS 23.038). */
export function countSegments(text: string): number {
  const isGsm = /^[\n\r !"#$%&'()*+,\-./0-9:;<=>?@A-Z_a-z¡£¤¥§¿ÄÅÆÇÉÑÖØÜßàäåæèéìñòöøùüΓΔΘΛΞΠΣΦΨΩ^{}\\[~\]|€]*$/.test(
    text,
  )
  const length = isGsm ? text.length + (text.match(/[\^{}\\[~\]|€]/g)?.length ?? 0) : text.length
  const [single, multiple] = isGsm ? [160, 153] : [70, 67]
  return length <= single ? 1 : Math.ceil(length / multiple)
}
