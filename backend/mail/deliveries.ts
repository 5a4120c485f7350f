import type { Pool } from 'pg'
import { createAnnouncements } from './announcements.ts'
import { MailError, MailOutcomeUnknown, MailRefused, MailUnavailable } from './errors.ts'
import type { Mailer } from './mailer.ts'
import type { MailMessage } from './message.ts'

/** Outgoing mail that is sent at most once (docs/decisions/0029). */
export type Mail = {
  /** `outbox`: no mail server is configured, and messages are stored as files. */
  readonly kind: Mailer['kind']
  /**
   * Sends a message, unless one with its key was sent. Announces it before and concludes it afterwards: throws
   * MailOutcomeUnknown for a message that was announced and never concluded, and MailError when it was not sent.
   */
  deliver(message: MailMessage, signal: AbortSignal): Promise<void>
  /** Allows a message of unknown outcome to be sent once more, because an operator decides about it from now on. */
  release(key: string): Promise<void>
  /** Connects to the mail server and signs in, without sending anything. Throws MailError; resolves at once for an outbox. */
  verify(signal: AbortSignal): Promise<void>
  /** Returns `down` when the mail server could not be used by the last attempt of this instance. */
  getStatus(): 'ok' | 'down' | 'outbox'
}

type Dependencies = {
  pool: Pool
  mailer: Mailer
  clock: () => Date
  /** Called when a message was sent or not: with null, or with the code of the error. */
  onOutcome?: (error: string | null) => void
}

/** Creates the delivery of mail on a database, whose instances share the announcements. */
export function createMail({ pool, mailer, clock, onOutcome }: Dependencies): Mail {
  let isDown = false
  const { announce, conclude, release } = createAnnouncements({ pool, clock })

  async function send(message: MailMessage, signal: AbortSignal): Promise<void> {
    try {
      await mailer.send(message, signal)
      isDown = false
      onOutcome?.(null)
    } catch (error) {
      if (error instanceof MailError && !signal.aborted) {
        isDown = error instanceof MailUnavailable
        // A mail server that refuses a single message works.
        onOutcome?.(error instanceof MailRefused ? null : error.code)
      }
      throw error
    }
  }

  return {
    kind: mailer.kind,
    getStatus: () => (mailer.kind === 'outbox' ? 'outbox' : isDown ? 'down' : 'ok'),
    async deliver(message, signal) {
      if (mailer.kind === 'outbox') return await mailer.send(message, signal)
      const { key } = message
      const { state } = await announce(key)
      if (state === 'sent') return
      if (state === 'unknown') throw new MailOutcomeUnknown()
      try {
        await send(message, signal)
      } catch (error) {
        if (!(error instanceof MailOutcomeUnknown)) await conclude(key, 'not-sent')
        throw error
      }
      await conclude(key, 'sent')
    },
    async verify(signal) {
      try {
        await mailer.verify(signal)
        isDown = false
      } catch (error) {
        isDown = error instanceof MailUnavailable
        throw error
      }
    },
    release,
  }
}
