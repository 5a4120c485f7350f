import { storeMessage } from '#mail/outbox.ts'

/** An outgoing text message. `key` is its idempotency key: letters, digits and dashes. */
export type TextMessage = {
  key: string
  /** E.164. */
  to: string
  text: string
  date: Date
}

/** The outbox of text messages. A message that is stored a second time replaces its file. */
type TextOutbox = {
  readonly kind: 'outbox'
  send(message: TextMessage): Promise<void>
}

/** A vendor of text messages, who would deliver a message twice. */
export type TextVendor = {
  readonly kind: 'vendor'
  /** Hands a message to the vendor, or throws MailError. */
  send(message: TextMessage): Promise<void>
  /** Returns whether the vendor received this message after an instant. Throws MailError. */
  hasReceived(message: TextMessage, since: Date): Promise<boolean>
  /** Asks the vendor for the account. Sends nothing. Throws MailError. */
  verify(): Promise<void>
}

/** The code of a MailRefused: the owner of the number wants no texts. */
export const numberStopped = 'number-stopped'

/** The port for text messages. */
export type TextSender = TextOutbox | TextVendor

/** Creates the outbox of text messages: files next to those of mail, which `npm run outbox` lists. */
export const createSmsOutbox = (folder: string): TextSender => ({
  kind: 'outbox',
  async send({ key, to, text, date }) {
    const head = [
      `Date: ${date.toUTCString().replace('GMT', '+0000')}`,
      `To: ${to}`,
      'Subject: Text message',
      'MIME-Version: 1.0',
      'Content-Type: text/plain; charset=utf-8',
    ]
    await storeMessage(folder, key, Buffer.from(`${head.join('\r\n')}\r\n\r\n${text}\r\n`))
  },
})
