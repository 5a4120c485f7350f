import { NonRetryableError } from '#jobs/job.ts'
import { MailOutcomeUnknown, MailRefused } from '#mail/errors.ts'
import type { MailMessage } from '#mail/message.ts'
import type { Services } from '../module.ts'

/** The retries of jobs that send a message: for about a day, as mail servers do. */
export const mailRetry = { limit: 60, maxDelaySeconds: 1_800 }

/**
 * Sends a message from a job, whose id is the key of the message. The job becomes a dead letter at once when the mail server
 * refuses the message, or when it is unknown whether it was delivered: an operator decides whether to send it again. The job
 * must call `mail.release` in `onDeadLetter`.
 */
export async function deliverMail(
  { mail }: Pick<Services, 'mail'>,
  message: MailMessage,
  signal: AbortSignal,
): Promise<void> {
  try {
    await mail.deliver(message, signal)
  } catch (error) {
    if (error instanceof MailRefused || error instanceof MailOutcomeUnknown) throw new NonRetryableError(error.code)
    throw error
  }
}
