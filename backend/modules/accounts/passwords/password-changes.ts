import { subDays } from 'date-fns/subDays'
import type { Pool } from 'pg'
import type { Migration } from '#database/migrations.ts'

/**
 * New passwords whose change is not on the record yet, or has not been applied. The hash is stored first, so that a change
 * that was recorded is applied also after a crash (ADR 32).
 */
export const passwordChangesMigration: Migration = {
  id: 'accounts-003-password-changes',
  sql: `create table app.password_changes (
          change_id uuid primary key,
          user_id uuid not null,
          password_hash text not null,
          created_at timestamptz not null default clock_timestamp());
        create index on app.password_changes (created_at);
        -- Grows with every change.
        alter table app.credentials add column version int not null default 0;`,
}

/** The hashes of new passwords until they are applied. */
export type PasswordChanges = {
  /** Stores the hash of a change that is not decided yet. */
  prepare(change: { changeId: string; userId: string; passwordHash: string }): Promise<void>
  /**
   * Makes the password of a change the user's, unless a later one did so already; all sessions but the kept one stop working in
   * the same statement. Does nothing when it was applied before. `version` grows with each change of the user.
   */
  apply(change: { changeId: string; version: number; keptSessionId: string | null }): Promise<void>
  /** Deletes the hash of a change that was refused. */
  drop(changeId: string): Promise<void>
}

export const createPasswordChanges = (pool: Pool): PasswordChanges => ({
  async prepare({ changeId, userId, passwordHash }) {
    await pool.query(
      `insert into app.password_changes (change_id, user_id, password_hash) values ($1, $2, $3)
       on conflict (change_id) do update set password_hash = excluded.password_hash`,
      [changeId, userId, passwordHash],
    )
  },
  async apply({ changeId, version, keptSessionId }) {
    await pool.query(
      `with change as (delete from app.password_changes where change_id = $1 returning user_id, password_hash),
         applied as (
           update app.credentials as c set password_hash = change.password_hash, version = $2, changed_at = now()
           from change where c.user_id = change.user_id and c.version < $2 returning c.user_id)
       update app.sessions as s set credential_version = $2 from applied
       where s.user_id = applied.user_id and s.session_id = $3`,
      [changeId, version, keptSessionId],
    )
  },
  async drop(changeId) {
    await pool.query('delete from app.password_changes where change_id = $1', [changeId])
  },
})

/** Days after which a change that was never decided is deleted: longer than any job that applies one is repeated. */
const keptDays = 7

/** Deletes the hashes of changes that were never decided, because the process was killed before. */
export async function deleteUndecidedChanges(pool: Pool, now: Date): Promise<void> {
  await pool.query('delete from app.password_changes where created_at < $1', [subDays(now, keptDays)])
}
