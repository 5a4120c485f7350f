import type Koa from 'koa'
import type { CommandContext } from '#eventstore/command.ts'
import { type Caller, cookieName } from './session.ts'

const defaultCookieMaxAgeMs = 365 * 24 * 3_600_000

/** The request context of a handler, beside its parsed input. */
export type RequestContext = {
  correlationId: string
  /** True for a HEAD request, which only asks whether GET would succeed. */
  isHead: boolean
  /** The client's address; stored only as a keyed hash. */
  clientAddress: string
  /** The origin under which the client opens Everchart, such as "https://practice.example". */
  origin: string
  /** The context of the commands that the caller causes. */
  commandContext: CommandContext
  setHeader(name: string, value: string): void
  /** Returns a signed cookie of this browser that outlives its sessions; undefined if there is none. */
  getCookie(name: string): string | undefined
  /** Keeps a value in a signed cookie of this browser, by default for a year. */
  setCookie(name: string, value: string, maxAgeMs?: number): void
  /**
   * Creates a new session for the client and ends its previous one. It works as long as the password has the version with which
   * the user signed in; that of a new account is 0.
   */
  signIn(userId: string, sessionId: string, credentialVersion?: number): Promise<void>
  /** Ends the session of the client. */
  signOut(): Promise<void>
}

/** Creates the request context of a handler. */
export function createRequestContext(ctx: Koa.Context, caller: Caller | undefined): RequestContext {
  const correlationId = ctx.state.correlationId as string
  return {
    correlationId,
    isHead: ctx.method === 'HEAD',
    clientAddress: ctx.ip,
    origin: ctx.state.origin as string,
    commandContext: {
      practiceId: caller?.practiceId ?? null,
      actor: caller
        ? { kind: 'user', userId: caller.userId, role: caller.role }
        : { kind: 'process', name: 'anonymous' },
      correlationId,
    },
    setHeader: (name, value) => ctx.set(name, value),
    getCookie: (name) => ctx.cookies.get(cookieName(name, ctx.cookies.secure), { signed: true }),
    setCookie: (name, value, maxAgeMs = defaultCookieMaxAgeMs) =>
      void ctx.cookies.set(cookieName(name, ctx.cookies.secure), value, {
        signed: true,
        httpOnly: true,
        sameSite: 'strict',
        maxAge: maxAgeMs,
      }),
    async signIn(userId, sessionId, credentialVersion = 0) {
      if (ctx.state.hasFailed) throw new Error('The request was answered before its session began')
      const session = ctx.session as unknown as object & { regenerate(): Promise<void> }
      Object.assign(session, { userId, sessionId, credentialVersion })
      // A new secret at every sign-in prevents session fixation.
      await session.regenerate()
    },
    async signOut() {
      const session = ctx.session as unknown as { manuallyCommit(): Promise<void> }
      ctx.session = null
      await session.manuallyCommit()
      // Not "cookies": those of a known device must stay, and the session's own is expired by itself.
      ctx.set('Clear-Site-Data', '"cache", "storage"')
    },
  }
}
