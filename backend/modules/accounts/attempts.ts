import type { Pool } from 'pg'
import { ProblemError } from '#http/problems.ts'
import type { Migration } from '#database/migrations.ts'

/** The counted attempts. `key` is a keyed hash, from which the user or client cannot be recovered. */
export const rateLimitsMigration: Migration = {
  id: 'accounts-002-attempts',
  sql: `create table app.attempts (
          key text collate "C" primary key,
          tries int not null,
          -- When the first of these tries was; they are forgotten together.
          began_at timestamptz not null,
          locked_until timestamptz);
        create index on app.attempts (began_at);`,
}

/** A limit. `lockMinutes` are the durations of successive locks; the last one repeats. */
type Limit = {
  purpose: string
  maxAttempts: number
  lockMinutes: readonly number[]
  windowHours: number
  code: string
  message: string
}

/** Failed sign-ins for one e-mail address, whether or not an account has it. */
export const signInsPerEmail: Limit = {
  purpose: 'sign-in email',
  maxAttempts: 5,
  lockMinutes: [1, 5, 15, 60],
  windowHours: 24,
  code: 'locked',
  message: 'Too many failed attempts.',
}

/** Failed sign-ins from one network: far more than a practice behind one address mistypes on a Monday morning. */
export const signInsPerClient: Limit = {
  purpose: 'sign-in client',
  maxAttempts: 100,
  lockMinutes: [15, 60],
  windowHours: 1,
  code: 'too-many-attempts',
  message: 'Too many failed attempts from your network.',
}

/** Registrations from one network. */
export const registrationsPerClient: Limit = {
  purpose: 'register client',
  maxAttempts: 1_000,
  lockMinutes: [60],
  windowHours: 1,
  code: 'too-many-attempts',
  message: 'Too many registrations from your network.',
}

/** Counts attempts. Every method throws 503 when it cannot count, so that no attempt is uncounted. */
export type RateLimiter = {
  /** Counts an attempt before its outcome is known, so that concurrent attempts cannot pass together. Throws 429. */
  consume(limit: Limit, value: string): Promise<void>
  /** Subtracts one attempt that succeeded. */
  refund(limit: Limit, value: string): Promise<void>
  /** Deletes all attempts after one that succeeded. */
  reset(limit: Limit, value: string): Promise<void>
}

/** Deletes expired attempts. */
export async function deleteExpiredAttempts(pool: Pool, now: Date): Promise<void> {
  await pool.query('delete from app.attempts where began_at < $1 and (locked_until is null or locked_until < $2)', [
    new Date(now.getTime() - signInsPerEmail.windowHours * hourMs),
    now,
  ])
}

const secondsPerMinute = 60
const hourMs = 3_600_000

/** Creates a limiter with one row per key and one statement per attempt: exact for any number of instances. */
export function createRateLimiter(
  pool: Pool,
  clock: () => Date,
  keyedHash: (purpose: string, value: string) => string,
): RateLimiter {
  const createKey = (limit: Limit, value: string) => keyedHash(limit.purpose, value)

  async function take(limit: Limit, value: string): Promise<void> {
    const key = createKey(limit, value)
    const now = clock()
    const counted = await pool.query(consumeSql, [
      key,
      now,
      new Date(now.getTime() - limit.windowHours * hourMs),
      limit.maxAttempts,
      limit.lockMinutes,
    ])
    if (counted.rowCount === 1) return
    const { rows } = await pool.query<{ locked_until: Date }>('select locked_until from app.attempts where key = $1', [
      key,
    ])
    // The lock ended in the meantime; the next attempt is counted again.
    const until = rows[0]?.locked_until?.getTime() ?? now.getTime()
    const seconds = Math.max(1, Math.ceil((until - now.getTime()) / 1_000))
    throw new ProblemError(429, limit.code, `${limit.message} Please try again in ${formatDuration(seconds)}.`, {
      headers: { 'Retry-After': String(seconds) },
    })
  }

  return {
    consume: (limit, value) => failClosed(take(limit, value)),
    async refund(limit, value) {
      await failClosed(
        pool.query('update app.attempts set tries = tries - 1, locked_until = null where key = $1 and tries > 0', [
          createKey(limit, value),
        ]),
      )
    },
    async reset(limit, value) {
      await failClosed(pool.query('delete from app.attempts where key = $1', [createKey(limit, value)]))
    },
  }
}

/** Returns no row while the key is locked. The attempt that reaches the limit sets the lock. */
const consumeSql = `
  insert into app.attempts as a (key, tries, began_at)
  values ($1, 1, $2)
  on conflict (key) do update set
    tries = case when a.began_at <= $3 then 1 else a.tries + 1 end,
    began_at = case when a.began_at <= $3 then $2 else a.began_at end,
    locked_until = case when a.began_at > $3 and (a.tries + 1) % $4 = 0
      then $2::timestamptz
        + interval '1 minute' * ($5::int[])[least((a.tries + 1) / $4, cardinality($5::int[]))] end
  where a.locked_until is null or a.locked_until <= $2`

function formatDuration(seconds: number): string {
  if (seconds < secondsPerMinute) return seconds === 1 ? '1 second' : `${seconds} seconds`
  const minutes = Math.ceil(seconds / secondsPerMinute)
  return minutes === 1 ? '1 minute' : `${minutes} minutes`
}

/** Runs a query and fails closed: without a count there is no attempt. Throws 503. */
async function failClosed<Result>(counting: Promise<Result>): Promise<Result> {
  try {
    return await counting
  } catch (error) {
    if (error instanceof ProblemError) throw error
    throw new ProblemError(503, 'sign-in-unavailable', 'Signing in is not possible right now. Please try again soon.', {
      headers: { 'Retry-After': '5' },
    })
  }
}
