import Router from '@koa/router'
import { currentUser, login, logout, register } from '#contracts/accounts.ts'
import { liveUpdatesFrom } from '#contracts/changes.ts'
import { UserId } from '#contracts/values/ids.ts'
import type { CommandContext } from '#eventstore/command.ts'
import { CommandRejected } from '#eventstore/command-errors.ts'
import { deriveId } from '#eventstore/derive-id.ts'
import { clientNetwork } from '#http/client-network.ts'
import { ProblemError } from '#http/problems.ts'
import { type Attempt, createRateLimiter, type Lock } from '#http/rate-limiter.ts'
import type { RequestContext } from '#http/request-context.ts'
import { serve } from '#http/serve.ts'
import { createResumePoints } from '#modules/changes/public.ts'
import type { Services } from '#modules/module.ts'
import { normalizeEmail } from '#modules/normalize-email.ts'
import {
  createRegistrationLimit,
  describeLocks,
  selectSignInLimits,
  signInsPerAccountAndNetwork,
  signInsPerDevice,
} from './attempts.ts'
import { accountSettings } from './settings.ts'
import { beginSession, findKnownDeviceId, hashAddress, userContext } from './begin-session.ts'
import { isKnownNetwork } from './known-networks.ts'
import { failedSignInDecider, sessionDecider } from './decider.ts'
import { checkNewPassword } from './password-rules.ts'
import { findAccountByEmail } from './email-change/change-email.ts'
import { addEmailProofRoutes } from './email-proof/routes.ts'
import { addEmailRoutes } from './email-change/routes.ts'
import { addPasskeyLogin } from './passkeys/login.ts'
import { passkeyDecider } from './passkeys/decider.ts'
import { createPasskeyStore } from './passkeys/passkey-store.ts'
import { addPasskeyRoutes } from './passkeys/routes.ts'
import { createPasswordStore } from './passwords.ts'
import { findAccess, findUser, type MemberAccess, type SignInAccess } from './queries.ts'
import { addProfileRoutes } from './profile-routes.ts'
import { registerUser } from './registration.ts'
import { createPasswordCheck } from './require-password.ts'
import { addSecurityRoutes } from './security-routes.ts'
import { checkSecondFactor, codeRequired, passkeyRequired, wrongCode } from './two-factor/check-second-factor.ts'
import { createFactorStore } from './two-factor/factor-store.ts'
import { twoFactorDecider } from './two-factor/decider.ts'
import { addTwoFactorRoutes } from './two-factor/routes.ts'
import { signInUnavailable } from './unavailable.ts'

const minuteMs = 60_000

/** The HTTP endpoints for registration, sign-in, sign-out, the current user, passwords and sessions. */
export function accountRoutes(services: Services): Router {
  const { bus, db, pool, relaxedPool, clock, newId, keyedHash, logger, mail, quotas, timeouts } = services
  const router = new Router()
  const rateLimiter = createRateLimiter({ pool: relaxedPool, clock, keyedHash, createUnavailable: signInUnavailable })
  const registrationLimit = createRegistrationLimit(quotas.registrationsPerNetwork)
  const passwords = createPasswordStore(pool, {
    maxWaitMs: timeouts.passwordMs,
    cost: accountSettings.read(services).passwordCost,
  })
  const factors = createFactorStore(services)
  const passkeys = createPasskeyStore(pool)
  const unknownUserId = UserId.parse(newId())
  const selectLimits = async (email: string, exchange: RequestContext) =>
    selectSignInLimits({
      account: normalizeEmail(email),
      network: clientNetwork(exchange.clientAddress),
      knownDeviceId: findKnownDeviceId(services, email, exchange),
      // Without a database the attempts could not be counted either: a second query would only delay the refusal.
      isKnownNetwork: await isKnownNetwork(services, email, exchange.clientAddress).catch(() => {
        throw signInUnavailable()
      }),
    })

  /** Forgets the failed attempts that one person caused. */
  const forgetFailures = (attempts: readonly Attempt[]) =>
    rateLimiter.reset(attempts.filter(({ limit }) => personalLimits.has(limit)))

  /** Returns the account of an e-mail address, and the version of its password if this is it. Takes the same time for unknown addresses. */
  async function findAccount(email: string, password: string) {
    const account = await findAccountByEmail(services, email, unknownUserId)
    return { account, version: await passwords.verify(account?.userId ?? unknownUserId, password) }
  }

  async function recordRefusal(
    userId: UserId | null,
    exchange: RequestContext,
    locks: readonly Lock[] = [],
  ): Promise<void> {
    const addressHash = hashAddress(services, exchange)
    const refused = { type: 'Refuse', userId, addressHash, locks: describeLocks(locks) } as const
    await bus.execute(failedSignInDecider, newId(), refused, anonymousContext(exchange))
  }

  /** Records a right password without a code, at most once a minute for each address: every sign-in with a code begins so. */
  async function recordMissingCode(userId: UserId, exchange: RequestContext): Promise<void> {
    const addressHash = hashAddress(services, exchange)
    const stream = deriveId(`missing code ${userId} ${addressHash} ${Math.floor(clock().getTime() / minuteMs)}`)
    const command = { type: 'NoteMissingCode', userId, addressHash } as const
    await bus.execute(failedSignInDecider, stream, command, anonymousContext(exchange), { consistency: 'eventual' })
  }

  /**
   * Throws 403 for a member whose access to the practice was suspended or is over. Returns the practice, and whether it requires
   * a passkey of this user.
   */
  async function refuseClosedAccess(userId: UserId, exchange: RequestContext): Promise<SignInAccess> {
    const found = await findAccess(db, userId, clock())
    const closed = closedAccess[found.access]
    if (!closed) return found
    await recordRefusal(userId, exchange)
    throw new ProblemError(403, closed.code, closed.message)
  }

  /** Throws 401 `two-factor-required` for a user with an authenticator app. */
  async function requireNoFactor(userId: UserId): Promise<void> {
    if ((await bus.load(twoFactorDecider, userId)).state) throw codeRequired()
  }

  /** Throws 401 `passkey-required` for a user with a passkey. */
  async function requireNoPasskey(userId: UserId): Promise<void> {
    if ((await bus.load(passkeyDecider, userId)).state.length > 0) throw passkeyRequired()
  }

  serve(router, register, async ({ body, caller }, exchange) => {
    await quotas.checkSignUp()
    await rateLimiter.consume([{ limit: registrationLimit, value: clientNetwork(exchange.clientAddress) }])
    const { password, ...person } = body
    const user = { ...person, userId: UserId.parse(newId('user')), addressHash: hashAddress(services, exchange) }
    await checkNewPassword(password, person)
    const passwordHash = await passwords.hash(password)
    let isNew = true
    const savePassword = async () => {
      isNew = await passwords.save(user.userId, passwordHash)
    }
    const link = mail.kind === 'smtp' ? { proofId: newId('email proof'), isGiven: false } : undefined
    await registerUser(services, user, savePassword, userContext(exchange, user), link)
    // A repetition with the same idempotency key may come long after the first attempt: the password may have changed since.
    const version = isNew ? 0 : await passwords.verify(user.userId, password)
    if (version === null) throw emailTaken()
    const confirm = isNew ? undefined : () => requireNoFactor(user.userId)
    await confirm?.()
    if (!isNew && (await findAccess(db, user.userId, clock())).needsPasskey) throw passkeyRequired()
    return await beginSession(services, user, version, caller, exchange, confirm)
  })

  serve(router, login, async ({ body: { email, password, code }, caller }, exchange) => {
    const attempts = await selectLimits(email, exchange)
    const locks = await rateLimiter.consume(attempts)
    // The password or code was not checked: five attempts on a busy machine would otherwise lock its owner out.
    const refundAndThrow = async (error: unknown): Promise<never> => {
      await rateLimiter
        .refund(attempts)
        .catch((err: unknown) => logger.warn({ err }, 'sign-in attempts could not be refunded'))
      throw error
    }
    const { account, version } = await findAccount(email, password).catch(refundAndThrow)
    if (account === null || version === null) {
      await recordRefusal(account?.userId ?? null, exchange, locks)
      throw new ProblemError(401, 'invalid-credentials', 'Invalid email or password')
    }
    const context = userContext(exchange, account)
    const parts = { ...services, factors, rateLimiter }
    const checked = await checkSecondFactor(parts, account.userId, code, context).catch(refundAndThrow)
    const second = checked.outcome
    if (second === 'wrong') {
      await recordRefusal(account.userId, exchange, [...locks, ...checked.locks])
      throw wrongCode()
    }
    await rateLimiter.refund(attempts)
    if (second === 'missing') {
      await recordMissingCode(account.userId, exchange)
      throw codeRequired()
    }
    await forgetFailures(attempts)
    const { requiresTwoFactor, needsPasskey } = await refuseClosedAccess(account.userId, exchange)
    if (needsPasskey && second === 'not-needed') {
      await recordMissingCode(account.userId, exchange)
      throw passkeyRequired()
    }
    // A factor may be set up after its check, when the sessions without it have been ended already.
    const confirm = async () => {
      if (second !== 'not-needed') return
      await requireNoFactor(account.userId)
      if (requiresTwoFactor) await requireNoPasskey(account.userId)
    }
    return await beginSession(services, account, version, caller, exchange, confirm)
  })

  serve(router, logout, async ({ caller, query }, exchange) => {
    const signOut = { type: 'SignOut', reason: query.reason ?? 'signed-out' } as const
    if (caller) await bus.execute(sessionDecider, caller.sessionId, signOut, exchange.commandContext)
    await exchange.signOut()
    return null
  })

  const points = createResumePoints(services.keyedHash)
  serve(router, currentUser, async ({ caller }, { setHeader }) => {
    const position = services.getReadPosition()
    if (caller.practiceId !== null && position !== null)
      setHeader(liveUpdatesFrom, points.format(caller.practiceId, position))
    const user = await findUser(services, caller.userId)
    if (!user) throw new ProblemError(401, 'signed-out', 'Please sign in first.')
    return user
  })

  const requirePassword = createPasswordCheck({ ...services, passwords, rateLimiter })
  addEmailProofRoutes(router, services, rateLimiter)
  addEmailRoutes(router, services, { rateLimiter, requirePassword })
  addSecurityRoutes(router, services, {
    passwords,
    requirePassword,
    rateLimiter,
    forgetFailedSignIns: async (email, exchange) => forgetFailures(await selectLimits(email, exchange)),
  })
  addProfileRoutes(router, services)
  addTwoFactorRoutes(router, services, { factors, rateLimiter, requirePassword })
  addPasskeyRoutes(router, services, { factors, passkeys, rateLimiter, requirePassword })
  addPasskeyLogin(router, services, {
    passkeys,
    rateLimiter,
    findPasswordVersion: passwords.findVersion,
    forgetFailedSignIns: async (email, exchange) => forgetFailures(await selectLimits(email, exchange)),
    recordRefusal,
    refuseClosedAccess,
  })
  return router
}

/** The refusals of a sign-in with the right password. */
const closedAccess: Record<MemberAccess, { code: string; message: string } | null> = {
  open: null,
  suspended: { code: 'access-suspended', message: 'Your access to this practice was suspended. Ask its owner.' },
  ended: { code: 'access-ended', message: 'Your access to this practice has ended. Ask its owner.' },
}

const emailTaken = () =>
  new CommandRejected({ rejected: 'email-taken', message: 'This email is already registered', path: 'email' })

/** Limits whose failures one person caused, and which are forgotten when that person signs in. */
const personalLimits = new Set([signInsPerAccountAndNetwork, signInsPerDevice])

const anonymousContext = ({ correlationId }: RequestContext): CommandContext => ({
  practiceId: null,
  actor: { kind: 'process', name: 'visitor' },
  correlationId,
})
