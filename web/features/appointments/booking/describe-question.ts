import type { Confirmation } from '#contracts/confirmations.ts'
import type { ConfirmationChannel } from '#contracts/values/confirmations.ts'
import type { FormatInstant } from '#web/entities/practices/practice-time.ts'

const channels: Record<ConfirmationChannel, string> = { sms: 'text message', email: 'email' }

/** Describes a question to the patient and what became of it; null once its appointment was cancelled or moved. */
export function describeQuestion(
  {
    status,
    closed,
    reminderType,
    scheduledFor,
    sentAt,
    confirmedAt,
    delivery,
  }: Pick<Confirmation, 'status' | 'closed' | 'reminderType' | 'scheduledFor' | 'sentAt' | 'confirmedAt' | 'delivery'>,
  formatInstant: FormatInstant,
): string | null {
  const by = `by ${channels[reminderType]}`
  const answered = confirmedAt === null ? '' : `, ${formatInstant(confirmedAt)}`
  if (status === 'confirmed') return `Confirmed by the patient${answered}`
  if (status === 'declined') return `Declined by the patient${answered}`
  if (closed) return null
  if (status === 'pending') return `To be asked ${by}, ${formatInstant(scheduledFor)}`
  if (status === 'failed') return `Could not be asked ${by}`
  const sent = sentAt === null ? '' : `, ${formatInstant(sentAt)}`
  return delivery === 'outbox' ? `Asked ${by}${sent}: kept in the outbox` : `Asked ${by}${sent}: no answer yet`
}
