import type Router from '@koa/router'
import { login, logout } from '#contracts/accounts.ts'
import { UserId } from '#contracts/values/ids.ts'
import { ProblemError } from '#http/problems.ts'
import type { RateLimiter } from '#http/rate-limiter.ts'
import { serve } from '#http/serve.ts'
import type { Services } from '#modules/module.ts'
import { beginSession, userContext } from './begin-session.ts'
import { sessionDecider } from './decider.ts'
import { findAccountByEmail } from '../email-change/change-email.ts'
import { passkeyDecider } from '../passkeys/decider.ts'
import type { PasswordStore } from '../passwords/password-store.ts'
import type { SignInGuard } from './sign-in-guard.ts'
import {
  checkSecondFactor,
  codeRequired,
  passkeyRequired,
  requireNoFactor,
  wrongCode,
} from '../two-factor/check-second-factor.ts'
import type { FactorStore } from '../two-factor/factor-store.ts'

type Parts = { passwords: PasswordStore; factors: FactorStore; rateLimiter: RateLimiter; guard: SignInGuard }

/** Adds the endpoints for signing in with a password, and for signing out. */
export function addSignInRoutes(router: Router, services: Services, parts: Parts): void {
  const { bus, newId } = services
  const { passwords, factors, rateLimiter, guard } = parts
  const unknownUserId = UserId.parse(newId())

  /** Returns the account of an e-mail address, and the version of its password if this is it. Takes the same time for unknown addresses. */
  async function findAccount(email: string, password: string) {
    const account = await findAccountByEmail(services, email, unknownUserId)
    return { account, version: await passwords.verify(account?.userId ?? unknownUserId, password) }
  }

  serve(router, login, async ({ body: { email, password, code }, caller }, exchange) => {
    const { attempts, locks } = await guard.count(email, exchange)
    const refundAndThrow = (error: unknown) => guard.refundAndThrow(attempts, error)
    const { account, version } = await findAccount(email, password).catch(refundAndThrow)
    if (account === null || version === null) {
      await guard.recordRefusal(account?.userId ?? null, exchange, locks)
      throw new ProblemError(401, 'invalid-credentials', 'Invalid email or password')
    }
    const context = userContext(exchange, account)
    const checked = await checkSecondFactor({ ...services, factors, rateLimiter }, account.userId, code, context).catch(
      refundAndThrow,
    )
    const second = checked.outcome
    if (second === 'wrong') {
      await guard.recordRefusal(account.userId, exchange, [...locks, ...checked.locks])
      throw wrongCode()
    }
    await rateLimiter.refund(attempts)
    if (second === 'missing') {
      await guard.recordMissingCode(account.userId, exchange)
      throw codeRequired()
    }
    await guard.forgetFailures(attempts)
    const { requiresTwoFactor, needsPasskey } = await guard.refuseClosedAccess(account.userId, exchange)
    if (needsPasskey && second === 'not-needed') {
      await guard.recordMissingCode(account.userId, exchange)
      throw passkeyRequired()
    }
    // A factor may be set up after its check, when the sessions without it have been ended already.
    const confirm = async () => {
      if (second !== 'not-needed') return
      await requireNoFactor(services, account.userId)
      if (requiresTwoFactor) await requireNoPasskey(services, account.userId)
    }
    return await beginSession(services, account, version, caller, exchange, confirm)
  })

  serve(router, logout, async ({ caller, query }, exchange) => {
    const signOut = { type: 'SignOut', reason: query.reason ?? 'signed-out' } as const
    if (caller) await bus.execute(sessionDecider, caller.sessionId, signOut, exchange.commandContext)
    await exchange.signOut()
    return null
  })
}

/** Throws 401 `passkey-required` for a user with a passkey. */
async function requireNoPasskey({ bus }: Pick<Services, 'bus'>, userId: UserId): Promise<void> {
  if ((await bus.load(passkeyDecider, userId)).state.length > 0) throw passkeyRequired()
}
