import { subDays } from 'date-fns/subDays'
import type { Pool } from 'pg'
import type { Migration } from '#database/migrations.ts'

/**
 * The public keys of passkeys, and the challenges that devices were asked to sign. A key that no event names is not in force.
 * `holder` is the session or the browser that received the challenge, as a hash: no other can use it.
 */
export const passkeysMigration: Migration = {
  id: 'accounts-005-passkeys',
  sql: `create table app.passkeys (
          passkey_id uuid primary key,
          user_id uuid not null,
          credential_id text not null unique,
          public_key bytea not null,
          -- Grows with every use, or stays 0 for devices that do not count.
          counter bigint not null,
          transports text[] not null,
          created_at timestamptz not null,
          last_used_at timestamptz);
        create index on app.passkeys (user_id);
        create table app.passkey_challenges (
          challenge_id uuid primary key,
          challenge text not null,
          holder text not null,
          expires_at timestamptz not null);
        create index on app.passkey_challenges (expires_at);`,
}

export type StoredPasskey = {
  passkeyId: string
  userId: string
  credentialId: string
  publicKey: Uint8Array<ArrayBuffer>
  transports: string[]
  lastUsedAt: Date | null
}

type NewPasskey = Omit<StoredPasskey, 'lastUsedAt'> & { counter: number; at: Date }

type Challenge = { challengeId: string; challenge: string; holder: string; expiresAt: Date }

/** Stores public keys and challenges. The database decides, so that a challenge or a counter is used once on all instances. */
export type PasskeyStore = {
  saveChallenge(challenge: Challenge): Promise<void>
  /** Deletes a challenge and returns it; null when it was used before, is another holder's or has expired. */
  takeChallenge(challengeId: string, holder: string, now: Date): Promise<Challenge | null>
  /** Stores a public key. Returns false when its credential is stored already. */
  add(passkey: NewPasskey): Promise<boolean>
  list(userId: string): Promise<StoredPasskey[]>
  findByCredential(credentialId: string): Promise<StoredPasskey | null>
  /** Stores the counter of a use. Returns false when it did not grow. */
  useCounter(passkeyId: string, counter: number, at: Date): Promise<boolean>
  remove(passkeyIds: readonly string[]): Promise<void>
  /** Deletes the user's keys that no event names, except those of the last day, whose event may be on its way. */
  removeOthers(userId: string, passkeyIds: readonly string[], now: Date): Promise<void>
  deleteExpiredChallenges(now: Date): Promise<void>
}

const columns = `passkey_id as "passkeyId", user_id as "userId", credential_id as "credentialId", public_key as "publicKey",
  transports, last_used_at as "lastUsedAt"`

type Row = Omit<StoredPasskey, 'publicKey'> & { publicKey: Buffer }
const toPasskey = (row: Row): StoredPasskey => ({ ...row, publicKey: new Uint8Array(row.publicKey) })

export const createPasskeyStore = (pool: Pool): PasskeyStore => ({
  async saveChallenge({ challengeId, challenge, holder, expiresAt }) {
    await pool.query(
      'insert into app.passkey_challenges (challenge_id, challenge, holder, expires_at) values ($1, $2, $3, $4)',
      [challengeId, challenge, holder, expiresAt],
    )
  },
  async takeChallenge(challengeId, holder, now) {
    const { rows } = await pool.query<Challenge>(
      `delete from app.passkey_challenges where challenge_id = $1 and holder = $2 and expires_at > $3
       returning challenge_id as "challengeId", challenge, holder, expires_at as "expiresAt"`,
      [challengeId, holder, now],
    )
    return rows[0] ?? null
  },
  async add({ passkeyId, userId, credentialId, publicKey, counter, transports, at }) {
    const { rowCount } = await pool.query(
      `insert into app.passkeys (passkey_id, user_id, credential_id, public_key, counter, transports, created_at)
       values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing`,
      [passkeyId, userId, credentialId, Buffer.from(publicKey), counter, transports, at],
    )
    return rowCount === 1
  },
  async list(userId) {
    const { rows } = await pool.query<Row>(`select ${columns} from app.passkeys where user_id = $1`, [userId])
    return rows.map(toPasskey)
  },
  async findByCredential(credentialId) {
    const { rows } = await pool.query<Row>(`select ${columns} from app.passkeys where credential_id = $1`, [
      credentialId,
    ])
    return rows[0] ? toPasskey(rows[0]) : null
  },
  async useCounter(passkeyId, counter, at) {
    const { rowCount } = await pool.query(
      `update app.passkeys set counter = $2, last_used_at = $3
       where passkey_id = $1 and (counter < $2 or (counter = 0 and $2 = 0))`,
      [passkeyId, counter, at],
    )
    return rowCount === 1
  },
  async remove(passkeyIds) {
    await pool.query('delete from app.passkeys where passkey_id = any ($1)', [passkeyIds])
  },
  async removeOthers(userId, passkeyIds, now) {
    await pool.query('delete from app.passkeys where user_id = $1 and passkey_id <> all ($2) and created_at < $3', [
      userId,
      passkeyIds,
      subDays(now, 1),
    ])
  },
  async deleteExpiredChallenges(now) {
    await pool.query('delete from app.passkey_challenges where expires_at < $1', [now])
  },
})
