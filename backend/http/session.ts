import { createHash, randomBytes } from 'node:crypto'
import type Koa from 'koa'
import session from 'koa-session'
import type { Pool } from 'pg'
import { idleMinutes } from '#contracts/accounts.ts'
import type { PracticeId, UserId } from '#contracts/values/ids.ts'
import type { Role } from '#contracts/values/roles.ts'
import type { AccessStatus } from '#contracts/values/tiers.ts'

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

/** Finds a session and its account; null if there is none or it was idle for too long. */
export type FindSession = (
  keyHash: string,
  idleSince: Date,
  now: Date,
) => Promise<{ caller: Caller; lastSeenAt: Date } | null>

/** The sessions of an installation, stored in PostgreSQL so that instances share them and they can be revoked. */
export type SessionStore = {
  /** Ends all sessions of a user except the given one. Returns their number. */
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

type Options = {
  pool: Pool
  find: FindSession
  clock: () => Date
  /** True behind TLS: the cookie is then only sent over TLS. */
  secure: boolean
  secret: string
}

const minuteMs = 60_000
const hashSessionKey = (key: string) => createHash('sha256').update(key).digest('base64url')

/** Creates the session store. Ending a session sends its user to the sign-in screen at the next request. */
export function createSessionStore(pool: Pool): SessionStore {
  return {
    async revokeAll(userId, exceptSessionId) {
      const { rowCount } = await pool.query(
        'delete from app.sessions where user_id = $1 and session_id is distinct from $2',
        [userId, exceptSessionId ?? null],
      )
      return rowCount ?? 0
    },
    async deleteIdle(since) {
      await pool.query('delete from app.sessions where last_seen_at < $1', [since])
    },
  }
}

/**
 * Creates koa-session over PostgreSQL. A read costs one indexed query; the time of last use is written at most once a minute.
 * The cookie contains a signed random key and nothing else.
 */
export function createSessionMiddleware(app: Koa, { pool, find, clock, secure, secret }: Options): Koa.Middleware {
  app.keys = [secret]
  const findByKey = (key: string, now: Date) =>
    find(hashSessionKey(key), new Date(now.getTime() - idleMinutes * minuteMs), now)
  const store = {
    async get(key: string, _maxAge: unknown, { ctx }: { ctx: Koa.Context }) {
      const now = clock()
      const found = await findByKey(key, now)
      if (!found) return null
      if (now.getTime() - found.lastSeenAt.getTime() > minuteMs)
        await pool.query('update app.sessions set last_seen_at = $2 where key_hash = $1', [hashSessionKey(key), now])
      ctx.state.caller = found.caller
      ctx.state.findCallerAgain = async () => (await findByKey(key, clock()))?.caller ?? null
      return { userId: found.caller.userId, sessionId: found.caller.sessionId }
    },
    async set(key: string, value: { userId?: string; sessionId?: string }) {
      if (!value.userId || !value.sessionId) return
      const now = clock()
      await pool.query(
        `insert into app.sessions (key_hash, session_id, user_id, created_at, last_seen_at) values ($1, $2, $3, $4, $4)
         on conflict (key_hash) do nothing`,
        [hashSessionKey(key), value.sessionId, value.userId, now],
      )
    },
    async destroy(key: string) {
      await pool.query('delete from app.sessions where key_hash = $1', [hashSessionKey(key)])
    },
  }
  const sessions = session(
    {
      key: 'everchart.sid',
      store: store as never,
      maxAge: 'session',
      genid: () => randomBytes(32).toString('base64url'),
      httpOnly: true,
      sameSite: 'lax',
      secure,
      signed: true,
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
