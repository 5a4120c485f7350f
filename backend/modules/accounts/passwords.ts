import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import type { Pool } from 'pg'
import { ProblemError } from '#http/problems.ts'
import { createLimiter } from '#http/limiter.ts'
import type { Migration } from '#database/migrations.ts'

/** Password hashes stay out of the record: what is written there can never be taken back. */
export const credentialsMigration: Migration = {
  id: 'accounts-001-credentials',
  sql: `create table app.credentials (
          user_id uuid primary key,
          password_hash text not null,
          changed_at timestamptz not null default now())`,
}

/** argon2id as OWASP's Password Storage Cheat Sheet asks for; `memoryCost` in KiB. */
const argon2id = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
/** Each takes one core for some 30 ms and 19 MiB: more at once would only slow down everybody else. */
const maxConcurrentHashes = 2
/** Some three seconds of waiting; whoever comes then is asked to come back. */
const maxQueuedHashes = 200

/** Keeps and checks passwords. Both throw 503 `busy` when too many are waiting. */
export type PasswordStore = {
  hash(password: string): Promise<string>
  save(userId: string, passwordHash: string): Promise<void>
  /** Takes the same time whether or not there is such a user. */
  verify(userId: string, password: string): Promise<boolean>
}

/** Passwords in `app.credentials`. */
export function createPasswordStore(pool: Pool): PasswordStore {
  const inTurn = createLimiter(maxConcurrentHashes, maxQueuedHashes, serverBusy)
  const hashed = (password: string | Buffer) => inTurn(() => hash(password, argon2id))
  // Nobody knows what it is the hash of; made at the start, so that the first unknown user costs no more than the next.
  const nobodys = hashed(randomBytes(32))
  nobodys.catch(() => undefined)
  return {
    hash: (password) => hashed(normalizePassword(password)),
    async save(userId, passwordHash) {
      await pool.query('insert into app.credentials (user_id, password_hash) values ($1, $2)', [userId, passwordHash])
    },
    async verify(userId, password) {
      const { rows } = await pool.query<{ password_hash: string }>(
        'select password_hash from app.credentials where user_id = $1',
        [userId],
      )
      const known = rows[0]?.password_hash
      const against = known ?? (await nobodys)
      const matches = await inTurn(() => verify(against, normalizePassword(password)))
      return matches && known !== undefined
    },
  }
}

/** One form for what different keyboards send for the same characters (NIST SP 800-63B). */
const normalizePassword = (password: string) => Buffer.from(password.normalize('NFKC'), 'utf8')

const serverBusy = () =>
  new ProblemError(503, 'busy', 'Many people are signing in right now. Please try again in a moment.', {
    headers: { 'Retry-After': '5' },
  })
