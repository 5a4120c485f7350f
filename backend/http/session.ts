import { createHash, randomBytes } from 'node:crypto'
import type Koa from 'koa'
import session from 'koa-session'
import type { Pool } from 'pg'
import { backgroundHeader, maxSessionHours } from '#contracts/accounts.ts'
import type { PracticeId, UserId } from '#contracts/values/ids.ts'
import type { PlanId } from '#contracts/values/plans.ts'
import type { Role } from '#contracts/values/roles.ts'
import type { AccessStatus } from '#contracts/values/tiers.ts'
import { QueryTimeout, queryWithTimeout } from '#database/query-timeout.ts'
import { isStorageFull } from '#database/transient-errors.ts'
import type { Deadline } from '#runtime/deadline.ts'
import { withTimeout } from '#runtime/with-timeout.ts'
import { createCookieKeys } from './cookie-keys.ts'
import { describeDevice, shortenAddress } from './describe-client.ts'

/** The caller, read with every request, so that a revoked permission takes effect at once. */
export type Caller = AccessStatus & {
  userId: UserId
  role: Role
  practiceId: PracticeId | null
  /** IANA time zone of the practice; UTC without one. */
  timezone: string
  /** The practice's own phone number, which says in which country it dials; null without a practice. */
  practicePhone: string | null
  /** The plan that the practice pays for, or paid for last; null when it never subscribed. */
  lastPlan: PlanId | null
  isOwner: boolean
  /** True while the practice requires two-factor sign-in and the user has not set it up. */
  mustSetUpTwoFactor: boolean
  /** True until the user confirms the address of the registration, where this is asked. */
  mustProveEmail: boolean
  /** Identifies the session in events; not the secret in the cookie. */
  sessionId: string
}

/** A caller who belongs to a practice. */
export type Member = Caller & { practiceId: PracticeId }

/**
 * The time, the earliest start of a session that is still valid, and the latest time of its last use: what lies beyond it was
 * stored while a clock was ahead, and would last for too long. Practices choose how long a session may be unused.
 */
export type SessionLimits = { now: Date; startedAfter: Date; usedUntil: Date }

/** A session that is valid, and its account. */
export type FoundSession = { caller: Caller; lastSeenAt: Date }

/** Finds a session; null if there is none, it was idle for too long, or it has reached its maximum age. */
export type FindSession = (keyHash: string, limits: SessionLimits) => Promise<FoundSession | null>

/** A session as its user sees it: where it is used, and when. */
export type OpenSession = { sessionId: string; device: string; network: string; startedAt: Date; lastSeenAt: Date }

/** The sessions of an installation, stored in PostgreSQL so that instances share them and they can be revoked. */
export type SessionStore = {
  /** Lists the sessions of a user that were used within so many minutes, the latest use first; at most 100. */
  list(userId: string, timeoutMinutes: number): Promise<OpenSession[]>
  /** Ends a session of a user, and their event streams on every instance. Returns false when there was none. */
  revoke(userId: string, sessionId: string): Promise<boolean>
  /** Ends all sessions of a user except the given one, and their event streams on every instance. Returns their ids. */
  revokeAll(userId: string, exceptSessionId?: string): Promise<string[]>
  /** Ends the sessions of a user that began with an earlier version of the password, in the same way. Returns their ids. */
  revokeOutdated(userId: string, version: number): Promise<string[]>
  /** Deletes the sessions that were not used since an instant, or were used after now, by a clock that was ahead. */
  deleteIdle(since: Date): Promise<void>
}

/** The sessions table. Only a hash of the cookie's secret is stored: a copy of the table grants no access. */
export const sessionMigration = {
  id: 'http-001-sessions',
  sql: `create table app.sessions (
          key_hash text primary key,
          session_id uuid not null unique,
          user_id uuid not null,
          created_at timestamptz not null default now(),
          last_seen_at timestamptz not null default now());
        create index on app.sessions (user_id);
        create index on app.sessions (last_seen_at);`,
}

/**
 * The columns for the place of a session, the browser as it names itself and the first part of the address, and for the version
 * of the password with which it began: it works with no other.
 */
export const sessionPlacesMigration = {
  id: 'http-004-session-places',
  sql: `alter table app.sessions
          add column device text not null default '',
          add column network text not null default '',
          add column credential_version int not null default 0;`,
}

/** The channel on which instances announce users whose sessions have ended; the payload is the user's id. */
export const endedSessionsChannel = 'everchart_ended_sessions'

type Options = {
  pool: Pool
  find: FindSession
  clock: () => Date
  /** True behind TLS: the cookie is then only sent over TLS. */
  secure: boolean
  secret: string
  /** Verifies the event streams of a user on this instance; other instances are notified through the database. */
  verifyStreams: (userId: string) => void
}

const minuteMs = 60_000
/** Milliseconds that a request waits at most until its session's time of last use is stored. */
const maxLastUseMs = 500
const hourMs = 60 * minuteMs

/** A full disk does not end reading: the time of last use is then merely not updated. */
function ignoreFullStorage(error: unknown): void {
  if (!isStorageFull(error)) throw error
}

const hashSessionKey = (key: string) => createHash('sha256').update(key).digest('base64url')

/** Deletes sessions and announces their users to all instances. */
async function endSessions(pool: Pool, where: string, values: readonly unknown[]): Promise<EndedSession[]> {
  const { rows } = await pool.query<EndedSession>(
    `with ended as (delete from app.sessions where ${where} returning user_id, session_id)
     select user_id as "userId", session_id as "sessionId", pg_notify('${endedSessionsChannel}', user_id::text) from ended`,
    [...values],
  )
  return rows
}

type EndedSession = { userId: string; sessionId: string }

/** Minutes by which the clocks of instances may differ. */
const maxClockSkewMinutes = 5

/** Returns the limits of sessions that are still valid. */
const computeLimits = (now: Date): SessionLimits => ({
  now,
  startedAfter: new Date(now.getTime() - maxSessionHours * hourMs),
  usedUntil: new Date(now.getTime() + maxClockSkewMinutes * minuteMs),
})

/** Creates the session store. Ending a session sends its user to the sign-in screen at the next request. */
export function createSessionStore({
  pool,
  clock,
  verifyStreams,
}: Pick<Options, 'pool' | 'clock' | 'verifyStreams'>): SessionStore {
  return {
    async list(userId, timeoutMinutes) {
      const { now, startedAfter, usedUntil } = computeLimits(clock())
      const usedAfter = new Date(now.getTime() - timeoutMinutes * minuteMs)
      const { rows } = await queryWithTimeout<OpenSession>(pool, {
        name: 'list-sessions',
        text: `select session_id as "sessionId", device, network, created_at as "startedAt", last_seen_at as "lastSeenAt"
               from app.sessions where user_id = $1 and last_seen_at between $2 and $4 and created_at > $3
               order by last_seen_at desc, session_id limit 100`,
        values: [userId, usedAfter, startedAfter, usedUntil],
      })
      return rows
    },
    async revoke(userId, sessionId) {
      const ended = await endSessions(pool, 'user_id = $1 and session_id = $2', [userId, sessionId])
      verifyStreams(userId)
      return ended.length > 0
    },
    async revokeAll(userId, exceptSessionId) {
      const where = 'user_id = $1 and session_id is distinct from $2'
      const ended = await endSessions(pool, where, [userId, exceptSessionId ?? null])
      verifyStreams(userId)
      return ended.map(({ sessionId }) => sessionId)
    },
    async revokeOutdated(userId, version) {
      const ended = await endSessions(pool, 'user_id = $1 and credential_version < $2', [userId, version])
      verifyStreams(userId)
      return ended.map(({ sessionId }) => sessionId)
    },
    async deleteIdle(since) {
      const { usedUntil } = computeLimits(clock())
      await pool.query('delete from app.sessions where last_seen_at not between $1 and $2', [since, usedUntil])
    },
  }
}

/**
 * Returns whether a request shows that the user is present. Refetches without input say that they are none, and an event
 * stream reconnects by itself.
 */
const isUserActivity = (ctx: Koa.Context) =>
  ctx.get(backgroundHeader) === '' && !ctx.get('Accept').includes('text/event-stream')

/** Name of the session's cookie, without the prefix of `cookieName`. */
export const sessionCookieName = 'everchart.sid'

/** Returns the name of a cookie; behind TLS with the prefix that binds it to this host and to TLS (RFC 6265bis, 4.1.3). */
export const cookieName = (name: string, secure: boolean): string => (secure ? `__Host-${name}` : name)

/**
 * Creates koa-session over PostgreSQL. A read costs one indexed query; the time of last use is written at most once a minute.
 * The cookie contains a signed random key and nothing else.
 */
export function createSessionMiddleware(
  app: Koa,
  { pool, find, clock, secure, secret, verifyStreams }: Options,
): Koa.Middleware {
  app.keys = createCookieKeys(secret)
  const findByKey = (key: string, now: Date) => find(hashSessionKey(key), computeLimits(now))
  /** A row that is locked is about to be changed or deleted by another request: the time is then not stored. */
  const storeLastUse = (key: string, now: Date) =>
    pool
      .query(
        `update app.sessions set last_seen_at = $2
         where key_hash = (select key_hash from app.sessions where key_hash = $1 for update skip locked)`,
        [hashSessionKey(key), now],
      )
      .catch(ignoreFullStorage)
  const store = {
    async get(key: string, _maxAge: unknown, { ctx }: { ctx: Koa.Context }) {
      const now = clock()
      const { deadline } = ctx.state as { deadline: Deadline }
      const found = await withTimeout(findByKey(key, now), deadline.getRemainingMs(), () => {
        throw new QueryTimeout('The session was not found in time')
      })
      if (!found) return null
      if (isUserActivity(ctx) && now.getTime() - found.lastSeenAt.getTime() > minuteMs)
        await withTimeout(storeLastUse(key, now), maxLastUseMs, () => undefined)
      ctx.state.caller = found.caller
      ctx.state.findCallerAgain = async () => (await findByKey(key, clock()))?.caller ?? null
      return { userId: found.caller.userId, sessionId: found.caller.sessionId }
    },
    async set(
      key: string,
      value: { userId?: string; sessionId?: string; credentialVersion?: number },
      _maxAge: unknown,
      { ctx }: { ctx: Koa.Context },
    ) {
      // A sign-in that was answered as failed in the meantime must not begin a session.
      if (!value.userId || !value.sessionId || ctx.state.hasFailed) return
      const now = clock()
      await pool.query(
        `insert into app.sessions
           (key_hash, session_id, user_id, created_at, last_seen_at, device, network, credential_version)
         values ($1, $2, $3, $4, $4, $5, $6, $7) on conflict (key_hash) do nothing`,
        [
          hashSessionKey(key),
          value.sessionId,
          value.userId,
          now,
          describeDevice(ctx.get('User-Agent')),
          shortenAddress(ctx.ip),
          value.credentialVersion ?? 0,
        ],
      )
    },
    async destroy(key: string) {
      const [ended] = await endSessions(pool, 'key_hash = $1', [hashSessionKey(key)])
      if (ended) verifyStreams(ended.userId)
    },
  }
  const sessions = session(
    {
      key: cookieName(sessionCookieName, secure),
      store: store as never,
      maxAge: 'session',
      genid: () => randomBytes(32).toString('base64url'),
      httpOnly: true,
      sameSite: 'lax',
      secure,
      signed: true,
      // Sign-in and sign-out store the session themselves: within the deadline of their request.
      autoCommit: false,
      rolling: false,
      renew: false,
    } as never,
    app,
  ) as unknown as Koa.Middleware
  return async (ctx, next) => {
    // TLS ends at the proxy, and not every proxy reports it: without this, no cookie would be set behind one.
    if (secure) ctx.cookies.secure = true
    await sessions(ctx, next)
  }
}
