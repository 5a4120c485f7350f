import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import type { Pool } from 'pg'
import { ProblemError } from '#http/problems.ts'
import { createLimiter } from '#http/limiter.ts'
import type { Migration } from '#database/migrations.ts'
import { productionTimeouts } from '#database/timeouts.ts'
import { timeStep } from '#runtime/step-times.ts'

/** The table of password hashes. They stay out of the event store, from which nothing can be deleted (ADR 1). */
export const credentialsMigration: Migration = {
  id: 'accounts-001-credentials',
  sql: `create table app.credentials (
          user_id uuid primary key,
          password_hash text not null,
          changed_at timestamptz not null default now())`,
}

/** The cost of a hash: memory in KiB, and passes over it. */
export type PasswordCost = { memoryCost: number; timeCost: number }

/** The parameters of argon2id from OWASP's Password Storage Cheat Sheet. No setting of an operator lowers them. */
export const productionCost: PasswordCost = { memoryCost: 19_456, timeCost: 2 }

const toArgon2id = (cost: PasswordCost) => ({ algorithm: 2, parallelism: 1, ...cost }) as const

/**
 * The cost of a hash, and limits of the passwords that are computed at once, and of the queues. A hash takes one core for
 * about 30 ms and 19 MiB; on a busy machine it takes longer, and more at once would slow down all other requests.
 */
type PasswordLimits = {
  maxConcurrentSignIns: number
  maxConcurrentSignUps: number
  maxQueued: number
  maxWaitMs: number
  cost: PasswordCost
}

const defaultLimits: PasswordLimits = {
  // Leaves a core to everything else.
  maxConcurrentSignIns: availableParallelism() > 2 ? 2 : 1,
  maxConcurrentSignUps: 1,
  maxQueued: 200,
  maxWaitMs: productionTimeouts.passwordMs,
  cost: productionCost,
}

/**
 * Stores and verifies passwords. Hashing and verifying have queues of their own, so that sign-ins never wait for sign-ups;
 * both throw 503 `busy` when too many requests are waiting, or one waits for too long.
 */
export type PasswordStore = {
  hash(password: string): Promise<string>
  /** Stores the password of a new user. Returns false when one is stored already, which stays. */
  save(userId: string, passwordHash: string): Promise<boolean>
  /** Returns the version of the user's password if this is it, otherwise null. Takes the same time whether or not the user exists. */
  verify(userId: string, password: string): Promise<number | null>
  /** Returns the version of the user's password without checking it; null for an unknown user. */
  findVersion(userId: string): Promise<number | null>
}

/** Creates a password store over `app.credentials`. */
export function createPasswordStore(pool: Pool, limits: Partial<PasswordLimits> = {}): PasswordStore {
  const { maxConcurrentSignIns, maxConcurrentSignUps, maxQueued, maxWaitMs, cost } = { ...defaultLimits, ...limits }
  const argon2id = toArgon2id(cost)
  const signIns = createLimiter(maxConcurrentSignIns, maxQueued, tooManySignIns, maxWaitMs)
  const signUps = createLimiter(maxConcurrentSignUps, maxQueued, tooManySignUps, maxWaitMs)
  // The hash of a random password; computed at the start, so that an unknown user takes as long as a known one.
  const placeholderHash = hash(randomBytes(32), argon2id)
  placeholderHash.catch(() => undefined)
  return {
    hash: (password) => timeStep('argon2', () => signUps(() => hash(normalizePassword(password), argon2id))),
    async save(userId, passwordHash) {
      const { rowCount } = await pool.query(
        'insert into app.credentials (user_id, password_hash) values ($1, $2) on conflict (user_id) do nothing',
        [userId, passwordHash],
      )
      return rowCount === 1
    },
    async verify(userId, password) {
      const { rows } = await pool.query<{ password_hash: string; version: number }>(
        'select password_hash, version from app.credentials where user_id = $1',
        [userId],
      )
      const [stored] = rows
      const expected = stored?.password_hash ?? (await placeholderHash)
      const matches = await timeStep('argon2', () => signIns(() => verify(expected, normalizePassword(password))))
      return matches && stored ? stored.version : null
    },
    async findVersion(userId) {
      const { rows } = await pool.query<{ version: number }>('select version from app.credentials where user_id = $1', [
        userId,
      ])
      return rows[0]?.version ?? null
    },
  }
}

/** Normalizes characters that keyboards send differently (NIST SP 800-63B). */
const normalizePassword = (password: string) => Buffer.from(password.normalize('NFKC'), 'utf8')

const tooManySignIns = (seconds: number) =>
  createBusyProblem('Many people are signing in right now. Please try again in a moment.', seconds)

const tooManySignUps = (seconds: number) =>
  createBusyProblem('Many people are registering right now. Please try again in a moment.', seconds)

const createBusyProblem = (message: string, seconds: number) =>
  new ProblemError(503, 'busy', message, { headers: { 'Retry-After': String(seconds) } })
