import MailComposer from 'nodemailer/lib/mail-composer'

/** An outgoing message to one recipient. */
export type MailMessage = {
  /** The idempotency key, such as the id of a job: letters, digits and dashes. The Message-ID is derived from it. */
  key: string
  to: string
  subject: string
  text: string
  html: string
  /** The instant of the header Date. */
  date: Date
  /** The address that unsubscribes the recipient with one POST request (RFC 8058). */
  unsubscribeUrl?: string
}

/** The sender of all messages: the header From, and the address that receives bounces. */
export type Sender = { header: string; address: string }

/** Composes a message in the format of RFC 5322. */
export async function composeMessage(message: MailMessage, sender: Sender): Promise<Buffer> {
  const { key, to, subject, text, html, date, unsubscribeUrl } = message
  const domain = sender.address.slice(sender.address.lastIndexOf('@') + 1)
  const unsubscribe = unsubscribeUrl !== undefined && {
    'List-Unsubscribe': `<${unsubscribeUrl}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  }
  const composer = new MailComposer({
    from: sender.header,
    to: { name: '', address: to },
    subject,
    text,
    html,
    date,
    messageId: `<${key}@${domain}>`,
    // Keeps auto-responders silent (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated', ...unsubscribe },
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return await composer.compile().build()
}
