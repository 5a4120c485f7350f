import { randomBytes } from 'node:crypto'
import type { Pool } from 'pg'
import { recoveryCodeCount } from '#contracts/two-factor.ts'
import type { Migration } from '#database/migrations.ts'
import { decrypt, encrypt, type Key } from '#encryption/cipher.ts'
import type { ErasableKeyStore } from '#encryption/key-store.ts'

/**
 * The secrets of authenticator apps, encrypted with a data key of their own, and keyed hashes of recovery codes. `last_step` is
 * the time step of the last code, so that no code works twice.
 */
export const secondFactorsMigration: Migration = {
  id: 'accounts-004-second-factors',
  sql: `create table app.second_factors (
          factor_id uuid primary key,
          user_id uuid not null,
          secret bytea not null,
          last_step bigint not null default 0,
          recovery_hashes text[] not null default '{}',
          -- A code of the app was right. Only set-ups without one are deleted after a while.
          is_proven boolean not null default false,
          created_at timestamptz not null);
        create index on app.second_factors (user_id);`,
}

type Dependencies = {
  pool: Pool
  keyStore: ErasableKeyStore
  keyedHash: (purpose: string, value: string) => string
}

/** Stores secrets and recovery codes. Every use of a code is counted by the database, so that it succeeds once on all instances. */
export type FactorStore = {
  /** Stores the secret of a set-up that began at an instant. */
  begin(setUp: { userId: string; factorId: string; secret: Uint8Array; at: Date }): Promise<void>
  /** Returns the user's newest secret that was stored after an instant; null without one. */
  findSetUp(userId: string, after: Date): Promise<{ factorId: string; secret: Uint8Array } | null>
  /** Returns a secret; null when it was deleted. */
  findSecret(factorId: string): Promise<Uint8Array | null>
  /** Uses up a time step. Returns false when it, or a later one, was used before. */
  useStep(factorId: string, step: number): Promise<boolean>
  /** Creates recovery codes, which replace earlier ones, and returns them. Throws when the secret was deleted. */
  createRecoveryCodes(factorId: string): Promise<string[]>
  /** Uses up a recovery code. Returns false for an unknown one. */
  useRecoveryCode(factorId: string, code: string): Promise<boolean>
  /** Deletes a secret with its key. */
  remove(factorId: string): Promise<void>
  /** Deletes the user's other secrets, once this one is in force. */
  removeOthers(userId: string, factorId: string): Promise<void>
  /** Deletes set-ups that began before an instant and were not finished. */
  removeUnproven(before: Date): Promise<void>
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const codeLength = 10

/** Returns a code of 50 random bits. */
const createCode = () => Array.from(randomBytes(codeLength), (byte) => alphabet[byte % alphabet.length]).join('')

export function createFactorStore({ pool, keyStore, keyedHash }: Dependencies): FactorStore {
  const hashCode = (factorId: string, code: string) => keyedHash('recovery code', `${factorId} ${code}`)

  async function open(row: { factor_id: string; secret: Buffer } | undefined) {
    if (!row) return null
    const key = (await keyStore.getMany([row.factor_id])).get(row.factor_id)
    const secret = key ? decrypt(key, row.factor_id, row.secret) : null
    return secret && { factorId: row.factor_id, secret: new Uint8Array(secret) }
  }

  async function removeAll(where: string, values: readonly unknown[]): Promise<void> {
    const { rows } = await pool.query<{ factor_id: string }>(
      `delete from app.second_factors where ${where} returning factor_id`,
      [...values],
    )
    await Promise.all(rows.map(({ factor_id: factorId }) => keyStore.destroy(factorId)))
  }

  return {
    async begin({ userId, factorId, secret, at }) {
      const key = (await keyStore.getOrCreateMany([factorId])).get(factorId) as Key
      await pool.query(
        `insert into app.second_factors (factor_id, user_id, secret, created_at) values ($1, $2, $3, $4)
         on conflict (factor_id) do update set secret = excluded.secret`,
        [factorId, userId, encrypt(key, factorId, Buffer.from(secret)), at],
      )
    },
    async findSetUp(userId, after) {
      const { rows } = await pool.query<{ factor_id: string; secret: Buffer }>(
        `select factor_id, secret from app.second_factors where user_id = $1 and created_at > $2
         order by created_at desc limit 1`,
        [userId, after],
      )
      return await open(rows[0])
    },
    async findSecret(factorId) {
      const { rows } = await pool.query<{ factor_id: string; secret: Buffer }>(
        'select factor_id, secret from app.second_factors where factor_id = $1',
        [factorId],
      )
      return (await open(rows[0]))?.secret ?? null
    },
    async useStep(factorId, step) {
      const { rowCount } = await pool.query(
        'update app.second_factors set last_step = $2 where factor_id = $1 and last_step < $2',
        [factorId, step],
      )
      return rowCount === 1
    },
    async createRecoveryCodes(factorId) {
      const codes = Array.from({ length: recoveryCodeCount }, createCode)
      const hashes = codes.map((code) => hashCode(factorId, code))
      const { rowCount } = await pool.query(
        'update app.second_factors set recovery_hashes = $2, is_proven = true where factor_id = $1',
        [factorId, hashes],
      )
      if (rowCount !== 1) throw new Error('The second factor was deleted')
      return codes
    },
    async useRecoveryCode(factorId, code) {
      const { rowCount } = await pool.query(
        `update app.second_factors set recovery_hashes = array_remove(recovery_hashes, $2)
         where factor_id = $1 and $2 = any (recovery_hashes)`,
        [factorId, hashCode(factorId, code)],
      )
      return rowCount === 1
    },
    remove: (factorId) => removeAll('factor_id = $1', [factorId]),
    removeOthers: (userId, factorId) => removeAll('user_id = $1 and factor_id <> $2', [userId, factorId]),
    removeUnproven: (before) => removeAll('not is_proven and created_at < $1', [before]),
  }
}
