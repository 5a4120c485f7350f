import type { Pool } from 'pg'
import { insertInstallationValue } from '#runtime/installation.ts'
import { computeFingerprint, decrypt, encrypt, importKey, type Key } from './cipher.ts'

/** The table of data keys, each wrapped by the master key. A destroyed key keeps its row, so that it is never created again. */
export const dataKeysMigration = {
  id: 'encryption-001-data-keys',
  sql: `create table app.data_keys (
          subject            text collate "C" primary key,
          -- Null once the key was destroyed.
          wrapped_key        bytea,
          -- Fingerprint of the master key that wraps it.
          master_fingerprint text not null,
          created_at         timestamptz not null default now(),
          destroyed_at       timestamptz,
          constraint data_keys_destroyed check ((wrapped_key is null) = (destroyed_at is not null)),
          constraint data_keys_wrapped check (octet_length(wrapped_key) = 60));`,
}

/** Name in app.installation of the fingerprint of the master key in use. */
export const masterKeyName = 'master-key'

/** The encryption context to which a wrapped data key is bound. */
const keyContext = (subject: string) => `data-key:${subject}`

/** Returns a data key as it is stored. */
export const wrapKey = (master: Key, subject: string, key: Key): Buffer =>
  encrypt(master, keyContext(subject), key.export())

/** Returns a stored data key; null when another master key wraps it, or when it is damaged. */
export function unwrapKey(master: Key, subject: string, wrapped: Buffer): Key | null {
  const bytes = decrypt(master, keyContext(subject), wrapped)
  return bytes && importKey(bytes)
}

/** Returns whether a master key is the one of this database; a database that has none yet adopts it. */
export async function ensureMasterKey(pool: Pool, master: Key): Promise<boolean> {
  const fingerprint = computeFingerprint(master)
  return (await insertInstallationValue(pool, masterKeyName, fingerprint)) === fingerprint
}

/** Columns: subject, wrapped key, whether the given master key wraps it. Rows as arrays are the fastest to read. */
export type DataKeyRow = [subject: string, wrappedKey: Buffer | null, isOwn: boolean]

export const loadKeysSql = `
  select subject, wrapped_key, master_fingerprint = $2 from app.data_keys where subject = any((select $1)::text[])`

/**
 * Returns the SQL that inserts keys while the given master key is in use: it cannot be rotated between this check and the end of
 * the insert. Subjects are sorted, so that concurrent inserts cannot deadlock. With `precedesEvents` the commit does not wait for the
 * disk: what the keys encrypt is committed to the same database after them, and PostgreSQL writes its log in that order.
 */
export const insertKeysSql = ({ precedesEvents }: { precedesEvents: boolean }): string => `
  with own as (
    select ${precedesEvents ? "set_config('synchronous_commit', 'off', true)" : ''}
    from app.installation where name = '${masterKeyName}' and value = $3 for share
  )
  insert into app.data_keys (subject, wrapped_key, master_fingerprint)
  select k.subject, k.wrapped_key, $3 from own, unnest($1::text[], $2::bytea[]) k(subject, wrapped_key) order by 1
  on conflict (subject) do nothing returning subject`

export const destroyKeySql = `
  insert into app.data_keys (subject, wrapped_key, master_fingerprint, destroyed_at) values ($1, null, $2, now())
  on conflict (subject) do update
  set wrapped_key = null, destroyed_at = coalesce(app.data_keys.destroyed_at, excluded.destroyed_at)
  returning destroyed_at`
