import type { Confirmation, ConfirmationDetails } from '#contracts/confirmations.ts'
import type {
  ClosingReason,
  ConfirmationStatus,
  FailureReason,
  MessageLanguage,
  ReminderTiming,
  ReminderType,
} from '#contracts/values/confirmations.ts'
import type { FormatInstant } from '#web/entities/practices/practice-time.ts'

/** Labels of the ways by which patients are asked. */
export const methodLabels: Record<ReminderType, string> = { sms: 'Text message', email: 'Email', both: 'Both' }

/** Labels of the languages of messages. */
export const languageLabels: Record<MessageLanguage, string> = { en: 'English', es: 'Spanish' }

/** Labels of the times at which patients are asked. */
export const timingLabels: Record<ReminderTiming, string> = {
  '24h': '24 hours before',
  '48h': '48 hours before',
  '72h': '72 hours before',
  '1week': '1 week before',
}

/** Labels of the statuses. */
export const statusLabels: Record<ConfirmationStatus, string> = {
  pending: 'Pending',
  sent: 'Sent',
  confirmed: 'Confirmed',
  declined: 'Declined',
  failed: 'Failed',
}

const failureLabels: Record<FailureReason, string> = {
  'no-address': 'The patient has no number or address',
  refused: 'The number or address was refused',
  'outcome-unknown': 'It is not known whether it was delivered',
  unavailable: 'The service could not be reached',
}

const closingLabels: Record<ClosingReason, string> = {
  cancelled: 'it was cancelled',
  moved: 'it was moved',
}

/** Two lines of a table cell; the second is null without a detail. */
type Lines = { top: string; bottom: string | null }

/** Returns the lines of the column Response. */
export function describeResponse(
  { status, confirmedAt, failure, closed }: Pick<Confirmation, 'status' | 'confirmedAt' | 'failure' | 'closed'>,
  formatInstant: FormatInstant,
): Lines {
  const at = confirmedAt && formatInstant(confirmedAt)
  if (status === 'confirmed') return { top: 'Yes', bottom: at }
  if (status === 'declined') return { top: 'No', bottom: at }
  if (closed) return { top: 'No longer needed', bottom: closingLabels[closed] }
  if (status === 'failed') return { top: 'Not delivered', bottom: failure && failureLabels[failure] }
  return { top: '-', bottom: null }
}

/** Returns the lines of the column Sent. */
export function describeSending(
  { status, sentAt, scheduledFor, delivery }: Pick<Confirmation, 'status' | 'sentAt' | 'scheduledFor' | 'delivery'>,
  formatInstant: FormatInstant,
): Lines {
  if (status === 'pending') return { top: formatInstant(scheduledFor), bottom: 'not sent yet' }
  if (sentAt === null) return { top: '-', bottom: null }
  return { top: formatInstant(sentAt), bottom: delivery === 'outbox' ? 'kept in the outbox' : null }
}

/** Returns the lines as one text. */
export const joinLines = ({ top, bottom }: Lines): string => (bottom === null ? top : `${top}, ${bottom}`)

/** Returns whether a message can be sent again (spec page 2, section 4.5). */
export const isResendable = ({ status, closed }: Pick<Confirmation, 'status' | 'closed'>): boolean =>
  closed === null && (status === 'sent' || status === 'failed')

/** Labels of what happened to a confirmation. */
export const historyLabels: Record<ConfirmationDetails['history'][number]['what'], string> = {
  planned: 'Planned',
  replanned: 'Planned for another time',
  sent: 'Message sent',
  failed: 'Message not delivered',
  withdrawn: 'Not needed any more',
  'appointment-cancelled': 'Appointment cancelled',
  'appointment-moved': 'Appointment moved',
  'resend-requested': 'Sent again on request',
  confirmed: 'Confirmed by the patient',
  declined: 'Declined by the patient',
}
