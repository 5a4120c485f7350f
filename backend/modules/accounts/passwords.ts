import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import type { Pool } from 'pg'
import { ProblemError } from '#http/problems.ts'
import { createLimiter } from '#http/limiter.ts'
import type { Migration } from '#database/migrations.ts'

/** The table of password hashes. They stay out of the event store, from which nothing can be deleted (ADR 1). */
export const credentialsMigration: Migration = {
  id: 'accounts-001-credentials',
  sql: `create table app.credentials (
          user_id uuid primary key,
          password_hash text not null,
          changed_at timestamptz not null default now())`,
}

/** The parameters of argon2id from OWASP's Password Storage Cheat Sheet; `memoryCost` in KiB. */
const argon2id = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
/** A hash takes one core for about 30 ms and 19 MiB: more at once would slow down all other requests. */
const maxConcurrentHashes = 2
/** About three seconds of waiting; further requests get 503. */
const maxQueuedHashes = 200

/** Stores and verifies passwords. Hashing and verifying throw 503 `busy` when too many requests are waiting. */
export type PasswordStore = {
  hash(password: string): Promise<string>
  save(userId: string, passwordHash: string): Promise<void>
  /** Takes the same time whether or not the user exists. */
  verify(userId: string, password: string): Promise<boolean>
}

/** Creates a password store over `app.credentials`. */
export function createPasswordStore(pool: Pool): PasswordStore {
  const withLimit = createLimiter(maxConcurrentHashes, maxQueuedHashes, serverBusy)
  const hashWithLimit = (password: string | Buffer) => withLimit(() => hash(password, argon2id))
  // The hash of a random password; computed at the start, so that an unknown user takes as long as a known one.
  const placeholderHash = hashWithLimit(randomBytes(32))
  placeholderHash.catch(() => undefined)
  return {
    hash: (password) => hashWithLimit(normalizePassword(password)),
    async save(userId, passwordHash) {
      await pool.query('insert into app.credentials (user_id, password_hash) values ($1, $2)', [userId, passwordHash])
    },
    async verify(userId, password) {
      const { rows } = await pool.query<{ password_hash: string }>(
        'select password_hash from app.credentials where user_id = $1',
        [userId],
      )
      const stored = rows[0]?.password_hash
      const expected = stored ?? (await placeholderHash)
      const matches = await withLimit(() => verify(expected, normalizePassword(password)))
      return matches && stored !== undefined
    },
  }
}

/** Normalizes characters that keyboards send differently (NIST SP 800-63B). */
const normalizePassword = (password: string) => Buffer.from(password.normalize('NFKC'), 'utf8')

const serverBusy = () =>
  new ProblemError(503, 'busy', 'Many people are signing in right now. Please try again in a moment.', {
    headers: { 'Retry-After': '5' },
  })
