import { subDays } from 'date-fns/subDays'
import type { Pool } from 'pg'
import type { Migration } from '#database/migrations.ts'

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

/** An announcement: this call sends the message, it was sent before, or it was announced at an instant and never concluded. */
export type Announcement = { state: 'new' } | { state: 'sent' } | { state: 'unknown'; announcedAt: Date }

/** The announcements of messages, which the instances of an installation share: each message leaves at most once. */
export type Announcements = {
  /** Announces a message before it is sent. */
  announce(key: string): Promise<Announcement>
  /** Records whether an announced message was sent. */
  conclude(key: string, state: 'sent' | 'not-sent'): Promise<void>
  /** Allows a message of unknown outcome to be sent once more. */
  release(key: string): Promise<void>
}

/** Creates the announcements on a database. */
export function createAnnouncements({ pool, clock }: { pool: Pool; clock: () => Date }): Announcements {
  /** Outcomes that could not be recorded while the database was away; known to this instance alone. */
  const unrecorded = new Map<string, 'sent' | 'not-sent'>()

  async function conclude(key: string, state: 'sent' | 'not-sent'): Promise<void> {
    unrecorded.set(key, state)
    await pool.query('update app.mail_deliveries set state = $2 where key = $1', [key, state])
    unrecorded.delete(key)
  }

  return {
    conclude,
    async announce(key) {
      const known = unrecorded.get(key)
      if (known) await conclude(key, known)
      const { rowCount } = await pool.query(announceSql, [key, clock()])
      if (rowCount === 1) return { state: 'new' }
      const { rows } = await pool.query<{ state: string; announced_at: Date }>(
        'select state, announced_at from app.mail_deliveries where key = $1',
        [key],
      )
      const [row] = rows
      return row?.state === 'sent' ? { state: 'sent' } : { state: 'unknown', announcedAt: row?.announced_at ?? clock() }
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
