import type { Pool } from 'pg'
import type { Migration } from '#database/migrations.ts'
import { isStorageFull } from '#database/transient-errors.ts'
import { ProblemError } from './problems.ts'
import { formatDuration } from './write-quotas.ts'

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

/** Hours after which every attempt is forgotten. */
export const maxWindowHours = 24

/**
 * A limit on attempts. `lockMinutes` are the durations of successive locks; the last one repeats. No lock is longer than 15 minutes, so
 * that an attacker cannot shut out users for long by failing on purpose.
 */
export type Limit = {
  purpose: string
  /** Attempts until the first lock. */
  maxAttempts: number
  /** Attempts after a lock until the next one in the same window. */
  maxFurtherAttempts: number
  lockMinutes: readonly number[]
  /** At most `maxWindowHours`. */
  windowHours: number
  code: string
  message: string
}

/** Limits of one hour: an exhausted one admits a single attempt after each lock. */
export const hourly = { maxFurtherAttempts: 1, lockMinutes: [15], windowHours: 1 } as const

/** A limit, and what it applies to, such as an account, a network or a device. */
export type Attempt = { limit: Limit; value: string }

/** An exhausted limit, under which no attempt is admitted until an instant. */
export type Lock = { limit: Limit; until: Date }

/** Counts attempts. Every method throws when it cannot count, so that no attempt is uncounted. */
export type RateLimiter = {
  /**
   * Counts an attempt under each limit before its outcome is known, so that concurrent attempts cannot pass together. Throws
   * 429 when one of them is exhausted; the attempt then counts nowhere. Returns the locks that it has set: they stay unless it
   * is refunded.
   */
  consume(attempts: readonly Attempt[]): Promise<readonly Lock[]>
  /** Subtracts an attempt that succeeded, or whose outcome could not be determined. */
  refund(attempts: readonly Attempt[]): Promise<void>
  /** Deletes all attempts after one that succeeded. */
  reset(attempts: readonly Attempt[]): Promise<void>
}

/** Deletes expired attempts. */
export async function deleteExpiredAttempts(pool: Pool, now: Date): Promise<void> {
  await pool.query('delete from app.attempts where began_at < $1 and (locked_until is null or locked_until < $2)', [
    new Date(now.getTime() - maxWindowHours * hourMs),
    now,
  ])
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs

type Dependencies = {
  pool: Pool
  clock: () => Date
  keyedHash: (purpose: string, value: string) => string
  /** Creates the refusal of an attempt that cannot be counted. */
  createUnavailable: () => ProblemError
}

/** Creates a limiter with one row per key and one statement per attempt: exact for any number of instances. */
export function createRateLimiter({ pool, clock, keyedHash, createUnavailable }: Dependencies): RateLimiter {
  const createKey = ({ limit, value }: Attempt) => keyedHash(limit.purpose, value)

  /** Counts an attempt. Returns the lock that it has set; null without one. */
  async function take(attempt: Attempt): Promise<Lock | null> {
    const { limit } = attempt
    const key = createKey(attempt)
    const now = clock()
    const counted = await pool.query<{ locked_until: Date | null }>(consumeSql, [
      key,
      now,
      new Date(now.getTime() - limit.windowHours * hourMs),
      limit.maxAttempts,
      limit.lockMinutes,
      new Date(now.getTime() + Math.max(...limit.lockMinutes) * minuteMs),
      limit.maxFurtherAttempts,
    ])
    const [row] = counted.rows
    if (row) return row.locked_until && { limit, until: row.locked_until }
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

  const giveBack = (attempts: readonly Attempt[]) =>
    pool.query('update app.attempts set tries = tries - 1, locked_until = null where key = any($1) and tries > 0', [
      attempts.map(createKey),
    ])

  async function takeAll(attempts: readonly Attempt[]): Promise<readonly Lock[]> {
    const locks: Lock[] = []
    for (const [index, attempt] of attempts.entries()) {
      try {
        // oxlint-disable-next-line no-await-in-loop -- a refused attempt must not count under later limits
        const lock = await take(attempt)
        if (lock) locks.push(lock)
      } catch (error) {
        // Without a database a second query would only delay the refusal.
        // oxlint-disable-next-line no-await-in-loop -- the loop ends here
        if (index > 0 && error instanceof ProblemError) await giveBack(attempts.slice(0, index))
        throw error
      }
    }
    return locks
  }

  /** Runs a query and fails closed: without a count there is no attempt. */
  async function failClosed<Result>(counting: Promise<Result>): Promise<Result> {
    try {
      return await counting
    } catch (error) {
      throw error instanceof ProblemError || isStorageFull(error) ? error : createUnavailable()
    }
  }

  return {
    consume: (attempts) => failClosed(takeAll(attempts)),
    async refund(attempts) {
      await failClosed(giveBack(attempts))
    },
    async reset(attempts) {
      await failClosed(pool.query('delete from app.attempts where key = any($1)', [attempts.map(createKey)]))
    },
  }
}

/**
 * Returns no row while the key is locked. The attempt that reaches the limit sets the lock. $3 is the start of the window, $6
 * the end of the longest lock that could begin now: what lies beyond it was stored while a clock was wrong, and does not count.
 */
const consumeSql = `
  insert into app.attempts as a (key, tries, began_at)
  values ($1, 1, $2)
  on conflict (key) do update set
    tries = case when a.began_at > $3 and a.began_at <= $6 then a.tries + 1 else 1 end,
    began_at = case when a.began_at > $3 and a.began_at <= $6 then a.began_at else $2 end,
    locked_until = case when a.began_at > $3 and a.began_at <= $6 and a.tries + 1 >= $4 and (a.tries + 1 - $4) % $7 = 0
      then $2::timestamptz
        + interval '1 minute' * ($5::int[])[least((a.tries + 1 - $4) / $7 + 1, cardinality($5::int[]))] end
  where a.locked_until is null or a.locked_until <= $2 or a.locked_until > $6
  returning a.locked_until`
