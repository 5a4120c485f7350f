import { createHash, randomBytes } from 'node:crypto'
import Keygrip from 'keygrip'
import type Koa from 'koa'
import session from 'koa-session'
import type { Pool } from 'pg'
import { backgroundHeader, idleMinutes, maxSessionHours } from '#contracts/accounts.ts'
import type { PracticeId, UserId } from '#contracts/values/ids.ts'
import type { Role } from '#contracts/values/roles.ts'
import type { AccessStatus } from '#contracts/values/tiers.ts'
import { QueryTimeout } from '#database/query-timeout.ts'
import { isStorageFull } from '#database/transient-errors.ts'
import type { Deadline } from '#runtime/deadline.ts'
import { withTimeout } from '#runtime/with-timeout.ts'

/** The caller, read with every request, so that a revoked permission takes effect at once. */
export type Caller = AccessStatus & {
  userId: UserId
  role: Role
  practiceId: PracticeId | null
  isOwner: boolean
  /** Identifies the session in events; not the secret in the cookie. */
  sessionId: string
}

/** A caller who belongs to a practice. */
export type Member = Caller & { practiceId: PracticeId }

/** The earliest last use and the earliest start of a session that is still valid. */
export type SessionLimits = { now: Date; usedAfter: Date; startedAfter: Date }

/** Finds a session and its account; null if there is none, it was idle for too long, or it has reached its maximum age. */
export type FindSession = (
  keyHash: string,
  limits: SessionLimits,
) => Promise<{ caller: Caller; lastSeenAt: Date } | null>

/** The sessions of an installation, stored in PostgreSQL so that instances share them and they can be revoked. */
export type SessionStore = {
  /** Ends all sessions of a user except the given one, and their event streams on every instance. Returns their number. */
  revokeAll(userId: string, exceptSessionId?: string): Promise<number>
  /** Deletes the sessions that were not used since an instant. */
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

/** Deletes sessions and announces their users to all instances. Returns the users, one per session. */
async function endSessions(pool: Pool, where: string, values: readonly unknown[]): Promise<string[]> {
  const { rows } = await pool.query<{ user_id: string }>(
    `with ended as (delete from app.sessions where ${where} returning user_id)
     select user_id, pg_notify('${endedSessionsChannel}', user_id::text) from ended`,
    [...values],
  )
  return rows.map(({ user_id: userId }) => userId)
}

/** Creates the session store. Ending a session sends its user to the sign-in screen at the next request. */
export function createSessionStore({ pool, verifyStreams }: Pick<Options, 'pool' | 'verifyStreams'>): SessionStore {
  return {
    async revokeAll(userId, exceptSessionId) {
      const where = 'user_id = $1 and session_id is distinct from $2'
      const ended = await endSessions(pool, where, [userId, exceptSessionId ?? null])
      verifyStreams(userId)
      return ended.length
    },
    async deleteIdle(since) {
      await pool.query('delete from app.sessions where last_seen_at < $1', [since])
    },
  }
}

/**
 * Returns whether a request shows that the user is present. Refetches without input say that they are none, and an event
 * stream reconnects by itself.
 */
const isUserActivity = (ctx: Koa.Context) =>
  ctx.get(backgroundHeader) === '' && !ctx.get('Accept').includes('text/event-stream')

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
  app.keys = new Keygrip([secret], 'sha256')
  const findByKey = (key: string, now: Date) =>
    find(hashSessionKey(key), {
      now,
      usedAfter: new Date(now.getTime() - idleMinutes * minuteMs),
      startedAfter: new Date(now.getTime() - maxSessionHours * hourMs),
    })
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
      value: { userId?: string; sessionId?: string },
      _maxAge: unknown,
      { ctx }: { ctx: Koa.Context },
    ) {
      // A sign-in that was answered as failed in the meantime must not begin a session.
      if (!value.userId || !value.sessionId || ctx.state.hasFailed) return
      const now = clock()
      await pool.query(
        `insert into app.sessions (key_hash, session_id, user_id, created_at, last_seen_at) values ($1, $2, $3, $4, $4)
         on conflict (key_hash) do nothing`,
        [hashSessionKey(key), value.sessionId, value.userId, now],
      )
    },
    async destroy(key: string) {
      const [userId] = await endSessions(pool, 'key_hash = $1', [hashSessionKey(key)])
      if (userId !== undefined) verifyStreams(userId)
    },
  }
  const sessions = session(
    {
      key: cookieName('everchart.sid', secure),
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
