import type { Pool } from 'pg'
import { createAnnouncements } from '#mail/announcements.ts'
import { MailError, MailOutcomeUnknown, MailPostponed, MailRefused } from '#mail/errors.ts'
import type { TextMessage, TextSender, TextVendor } from './sms.ts'

/** Outgoing text messages, each of which leaves at most once under its key. */
export type Sms = {
  /** `outbox`: no vendor is connected, and messages are stored as files. */
  readonly kind: TextSender['kind']
  /**
   * Sends a message, unless one with its key was sent. When an earlier attempt was not concluded, the vendor is asked whether it
   * has the message. Throws MailError; after MailPostponed, another attempt settles it.
   */
  deliver(message: TextMessage): Promise<void>
  /** Asks the vendor for the account; resolves at once without one. Throws MailError. */
  verify(): Promise<void>
}

type Dependencies = {
  pool: Pool
  sender: TextSender
  clock: () => Date
  /** Called when the vendor took a message or not: with null, or with the code of the error. */
  onOutcome?: (error: string | null) => void
}

/** Milliseconds after an announcement from which no attempt is under way any more: each ends after 30 seconds. */
const settledAfterMs = 120_000
/** Clocks of the vendor and of this machine differ by less. */
const clockDifferenceMs = 60_000

/** Creates the delivery of text messages on a database, whose instances share the announcements. */
export function createSms({ pool, sender, clock, onOutcome }: Dependencies): Sms {
  return sender.kind === 'outbox'
    ? { kind: 'outbox', deliver: (message) => sender.send(message), verify: () => Promise.resolve() }
    : createVendorSms({ pool, sender, clock, ...(onOutcome ? { onOutcome } : {}) })
}

function createVendorSms({ pool, sender, clock, onOutcome }: Dependencies & { sender: TextVendor }): Sms {
  const { announce, conclude, release } = createAnnouncements({ pool, clock })

  /** Asks the vendor about a message that was announced and never concluded. Returns whether the vendor has it. */
  async function settle(message: TextMessage, key: string, announcedAt: Date): Promise<boolean> {
    // Another instance may be sending it now.
    if (clock().getTime() - announcedAt.getTime() < settledAfterMs) throw new MailPostponed('being-sent')
    const isSent = await sender.hasReceived(message, new Date(announcedAt.getTime() - clockDifferenceMs))
    if (isSent) await conclude(key, 'sent')
    else await release(key)
    return isSent
  }

  async function send(message: TextMessage): Promise<void> {
    try {
      await sender.send(message)
      onOutcome?.(null)
    } catch (error) {
      // A vendor that refuses a single message works.
      if (error instanceof MailError) onOutcome?.(error instanceof MailRefused ? null : error.code)
      throw error
    }
  }

  return {
    kind: 'vendor',
    verify: () => sender.verify(),
    async deliver(message) {
      const key = `sms-${message.key}`
      let announcement = await announce(key)
      if (announcement.state === 'unknown') {
        if (await settle(message, key, announcement.announcedAt)) return
        announcement = await announce(key)
        // Another instance was faster.
        if (announcement.state === 'unknown') throw new MailPostponed('being-sent')
      }
      if (announcement.state === 'sent') return
      try {
        await send(message)
      } catch (error) {
        // The next attempt asks the vendor.
        if (error instanceof MailOutcomeUnknown) throw new MailPostponed(error.code)
        await conclude(key, 'not-sent')
        throw error
      }
      await conclude(key, 'sent')
    },
  }
}
