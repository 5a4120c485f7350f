import { subDays } from 'date-fns/subDays'
import type { Pool } from 'pg'
import type { Migration } from '#database/migrations.ts'
import { MailError, MailOutcomeUnknown, MailRefused, MailUnavailable } from './errors.ts'
import type { Mailer } from './mailer.ts'
import type { MailMessage } from './message.ts'

/** The announced messages, by idempotency key. They hold no address and no text. */
export const deliveriesMigration: Migration = {
  id: 'mail-001-deliveries',
  sql: `create table app.mail_deliveries (
          key text collate "C" primary key,
          -- sending: announced and not concluded; sent; not-sent: certainly not accepted, so that another attempt is safe;
          -- released: an operator may decide to send it again although it may have been delivered.
          state text not null check (state in ('sending', 'sent', 'not-sent', 'released')),
          announced_at timestamptz not null);
        create index on app.mail_deliveries (announced_at);`,
}

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
  /** Outcomes that could not be recorded while the database was away; known to this instance alone. */
  const unrecorded = new Map<string, 'sent' | 'not-sent'>()

  async function conclude(key: string, state: 'sent' | 'not-sent'): Promise<void> {
    unrecorded.set(key, state)
    await pool.query('update app.mail_deliveries set state = $2 where key = $1', [key, state])
    unrecorded.delete(key)
  }

  /** Returns whether the message is to be sent by this call; false when it was sent before. Throws MailOutcomeUnknown. */
  async function announce(key: string): Promise<boolean> {
    const known = unrecorded.get(key)
    if (known) await conclude(key, known)
    const { rowCount } = await pool.query(announceSql, [key, clock()])
    if (rowCount === 1) return true
    const { rows } = await pool.query<{ state: string }>('select state from app.mail_deliveries where key = $1', [key])
    if (rows[0]?.state === 'sent') return false
    throw new MailOutcomeUnknown()
  }

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
      if (!(await announce(key))) return
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
    async release(key) {
      await pool.query(`update app.mail_deliveries set state = 'released' where key = $1 and state = 'sending'`, [key])
    },
  }
}

const announceSql = `
  insert into app.mail_deliveries as d (key, state, announced_at) values ($1, 'sending', $2)
  on conflict (key) do update set state = 'sending', announced_at = $2 where d.state in ('not-sent', 'released')`

/** Days for which announcements are kept: longer than the jobs that refer to them, and their dead letters are looked after. */
const keptDays = 180

/** Deletes old announcements. */
export async function deleteOldDeliveries(pool: Pool, now: Date): Promise<void> {
  await pool.query('delete from app.mail_deliveries where announced_at < $1', [subDays(now, keptDays)])
}
