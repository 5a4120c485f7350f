import { composeMessage, type MailMessage, type Sender } from './message.ts'
import { storeMessage } from './outbox.ts'
import { sendBySmtp, type SmtpSettings, verifySmtp } from './smtp.ts'

/**
 * The port for outgoing mail. A message sent to the outbox a second time replaces its file; a mail server would deliver it
 * twice.
 */
export type Mailer = {
  kind: 'smtp' | 'outbox'
  /** Sends a message, or throws MailError. */
  send(message: MailMessage, signal: AbortSignal): Promise<void>
  /** Connects to the mail server and signs in, or throws MailError. An outbox has nothing to verify. */
  verify(signal: AbortSignal): Promise<void>
}

type Options = {
  /** Null: messages are stored in the outbox. */
  smtp: SmtpSettings | null
  sender: Sender
  outboxFolder: string
}

/** Creates the mailer of an installation: the configured mail server, otherwise the outbox. */
export function createMailer({ smtp, sender, outboxFolder }: Options): Mailer {
  if (!smtp)
    return {
      kind: 'outbox',
      send: async (message) => storeMessage(outboxFolder, message.key, await composeMessage(message, sender)),
      verify: async () => undefined,
    }
  return {
    kind: 'smtp',
    async send(message, signal) {
      const content = await composeMessage(message, sender)
      await sendBySmtp(smtp, { from: sender.address, to: message.to }, content, signal)
    },
    verify: (signal) => verifySmtp(smtp, signal),
  }
}
