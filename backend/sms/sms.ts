import { storeMessage } from '#mail/outbox.ts'

/** An outgoing text message. `key` is its idempotency key: letters, digits and dashes. */
export type TextMessage = {
  key: string
  /** E.164. */
  to: string
  text: string
  date: Date
}

/** The port for text messages. A message that is delivered again under its key is one message. */
export type Sms = {
  /** `outbox`: no provider is connected, and messages are stored as files. */
  readonly kind: 'outbox'
  deliver(message: TextMessage): Promise<void>
}

/** Creates the outbox of text messages: files next to those of mail, which `npm run outbox` lists. */
export const createSmsOutbox = (folder: string): Sms => ({
  kind: 'outbox',
  async deliver({ key, to, text, date }) {
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
