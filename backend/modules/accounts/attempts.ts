import type { Pool } from 'pg'
import { ProblemError } from '#http/problems.ts'
import { formatDuration } from '#http/write-quotas.ts'
import type { Migration } from '#database/migrations.ts'
import { isStorageFull } from '#database/transient-errors.ts'

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

/**
 * A limit. `lockMinutes` are the durations of successive locks; the last one repeats. No lock is longer than 15 minutes, so
 * that an attacker cannot shut out users for long by failing on purpose.
 */
export type Limit = {
  purpose: string
  maxAttempts: number
  lockMinutes: readonly number[]
  windowHours: number
  code: string
  message: string
}

const locked = {
  lockMinutes: [1, 5, 15],
  windowHours: 24,
  code: 'locked',
  message: 'Too many failed attempts.',
} as const

/** Failed sign-ins to one account from one network, whether or not the account exists. */
export const signInsPerAccountAndNetwork: Limit = { ...locked, purpose: 'sign-in account network', maxAttempts: 5 }

/** Failed sign-ins to one account from a device that has signed in to it before. */
export const signInsPerDevice: Limit = { ...locked, purpose: 'sign-in device', maxAttempts: 5 }

/** Failed sign-ins to one account from everywhere: stops guesses that come from many networks. */
export const signInsPerAccount: Limit = {
  ...locked,
  purpose: 'sign-in account',
  maxAttempts: 100,
  lockMinutes: [15],
  windowHours: 1,
}

/** Failed sign-ins from one network: far more than a practice behind one address mistypes on a Monday morning. */
export const signInsPerNetwork: Limit = {
  purpose: 'sign-in network',
  maxAttempts: 100,
  lockMinutes: [15],
  windowHours: 1,
  code: 'too-many-attempts',
  message: 'Too many failed attempts from your network.',
}

/** A limit, and the account, network or device to which it applies. */
export type Attempt = { limit: Limit; value: string }

/**
 * Returns the limits of a sign-in, in the order in which they count it (docs/decisions/0022). A device that has signed in to
 * the account before has a counter of its own, so that failures elsewhere cannot lock it out.
 */
export function selectSignInLimits({
  account,
  network,
  knownDeviceId,
}: {
  account: string
  network: string
  /** The device from which the attempt comes, if it has signed in to this account before. */
  knownDeviceId: string | null
}): readonly Attempt[] {
  if (knownDeviceId !== null) return [{ limit: signInsPerDevice, value: `${knownDeviceId} ${account}` }]
  return [
    { limit: signInsPerAccountAndNetwork, value: `${network} ${account}` },
    { limit: signInsPerNetwork, value: network },
    { limit: signInsPerAccount, value: account },
  ]
}

/** Registrations from one network. */
export const createRegistrationLimit = (maxAttempts: number): Limit => ({
  purpose: 'register network',
  maxAttempts,
  lockMinutes: [15],
  windowHours: 1,
  code: 'too-many-attempts',
  message: 'Too many registrations from your network.',
})

/** Counts attempts. Every method throws 503 when it cannot count, so that no attempt is uncounted. */
export type RateLimiter = {
  /**
   * Counts an attempt under each limit before its outcome is known, so that concurrent attempts cannot pass together. Throws
   * 429 when one of them is exhausted; the attempt then counts nowhere.
   */
  consume(attempts: readonly Attempt[]): Promise<void>
  /** Subtracts an attempt that succeeded, or whose password could not be verified. */
  refund(attempts: readonly Attempt[]): Promise<void>
  /** Deletes all attempts after one that succeeded. */
  reset(attempts: readonly Attempt[]): Promise<void>
}

/** Deletes expired attempts. */
export async function deleteExpiredAttempts(pool: Pool, now: Date): Promise<void> {
  await pool.query('delete from app.attempts where began_at < $1 and (locked_until is null or locked_until < $2)', [
    new Date(now.getTime() - locked.windowHours * hourMs),
    now,
  ])
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** Creates a limiter with one row per key and one statement per attempt: exact for any number of instances. */
export function createRateLimiter(
  pool: Pool,
  clock: () => Date,
  keyedHash: (purpose: string, value: string) => string,
): RateLimiter {
  const createKey = ({ limit, value }: Attempt) => keyedHash(limit.purpose, value)

  async function take(attempt: Attempt): Promise<void> {
    const { limit } = attempt
    const key = createKey(attempt)
    const now = clock()
    const counted = await pool.query(consumeSql, [
      key,
      now,
      new Date(now.getTime() - limit.windowHours * hourMs),
      limit.maxAttempts,
      limit.lockMinutes,
      new Date(now.getTime() + Math.max(...limit.lockMinutes) * minuteMs),
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

  const giveBack = (attempts: readonly Attempt[]) =>
    pool.query('update app.attempts set tries = tries - 1, locked_until = null where key = any($1) and tries > 0', [
      attempts.map(createKey),
    ])

  async function takeAll(attempts: readonly Attempt[]): Promise<void> {
    for (const [index, attempt] of attempts.entries()) {
      try {
        // oxlint-disable-next-line no-await-in-loop -- a refused attempt must not count under later limits
        await take(attempt)
      } catch (error) {
        // Without a database a second query would only delay the refusal.
        // oxlint-disable-next-line no-await-in-loop -- the loop ends here
        if (index > 0 && error instanceof ProblemError) await giveBack(attempts.slice(0, index))
        throw error
      }
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
    locked_until = case when a.began_at > $3 and a.began_at <= $6 and (a.tries + 1) % $4 = 0
      then $2::timestamptz
        + interval '1 minute' * ($5::int[])[least((a.tries + 1) / $4, cardinality($5::int[]))] end
  where a.locked_until is null or a.locked_until <= $2 or a.locked_until > $6`

/** Runs a query and fails closed: without a count there is no attempt. Throws 503. */
async function failClosed<Result>(counting: Promise<Result>): Promise<Result> {
  try {
    return await counting
  } catch (error) {
    if (error instanceof ProblemError || isStorageFull(error)) throw error
    throw new ProblemError(503, 'sign-in-unavailable', 'Signing in is not possible right now. Please try again soon.', {
      headers: { 'Retry-After': '5' },
    })
  }
}
