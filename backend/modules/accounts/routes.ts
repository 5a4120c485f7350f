import Router from '@koa/router'
import { currentUser, login, logout, register } from '#contracts/accounts.ts'
import { UserId } from '#contracts/values/ids.ts'
import { type CommandContext, CommandRejected } from '#eventstore/command-bus.ts'
import { ProblemError } from '#http/problems.ts'
import { type RequestContext, serve } from '#http/serve.ts'
import type { Caller } from '#http/session.ts'
import type { Services } from '#modules/module.ts'
import {
  createRateLimiter,
  createRegistrationLimit,
  selectSignInLimits,
  signInsPerAccountAndNetwork,
  signInsPerDevice,
} from './attempts.ts'
import { emailDecider, failedSignInDecider, type RegisteredUser, sessionDecider, userDecider } from './decider.ts'
import { addAccount, deviceCookie, formatDevice, parseDevice } from './known-device.ts'
import { createPasswordStore } from './passwords.ts'
import { createUserRow } from './projection.ts'
import { findUser, toCurrentUser } from './queries.ts'
import { createNameHasher, registerUser } from './registration.ts'
import { clientNetwork, normalizeEmail } from './unique-names.ts'

/** The HTTP endpoints for registration, sign-in, sign-out and the current user. */
export function accountRoutes(services: Services): Router {
  const { bus, db, pool, relaxedPool, clock, newId, keyedHash, logger, quotas, timeouts } = services
  const router = new Router()
  const rateLimiter = createRateLimiter(relaxedPool, clock, keyedHash)
  const registrationLimit = createRegistrationLimit(quotas.registrationsPerNetwork)
  const passwords = createPasswordStore(pool, { maxWaitMs: timeouts.passwordMs })
  const ids = createNameHasher(services)
  const unknownUserId = UserId.parse(newId())
  const hashAddress = ({ clientAddress: address }: RequestContext) => keyedHash('address', address)
  /** A shortened hash: the cookie may name twenty accounts. */
  const hashDeviceAccount = (email: string) => keyedHash('device account', normalizeEmail(email)).slice(0, 32)

  /** Returns the id of the browser if it has signed in to this account before. */
  function findKnownDeviceId(email: string, exchange: RequestContext): string | null {
    const device = parseDevice(exchange.getCookie(deviceCookie))
    return device?.accounts.includes(hashDeviceAccount(email)) ? device.id : null
  }

  /** Marks the browser as one that has signed in to this account. */
  function rememberDevice(email: string, exchange: RequestContext): void {
    const device = parseDevice(exchange.getCookie(deviceCookie)) ?? { id: newId(), accounts: [] }
    exchange.setCookie(deviceCookie, formatDevice(addAccount(device, hashDeviceAccount(email))))
  }

  /** Starts a session for an authenticated user and ends the previous session of this browser. */
  async function beginSession(user: RegisteredUser, previous: Caller | undefined, exchange: RequestContext) {
    const { userId } = user
    if (previous)
      await bus.execute(
        sessionDecider,
        previous.sessionId,
        { type: 'SignOut', reason: 'signed-in-again' },
        exchange.commandContext,
      )
    const found = await findUser(db, userId, clock())
    const sessionId = newId()
    await bus.execute(
      sessionDecider,
      sessionId,
      { type: 'SignIn', sessionId, userId, addressHash: hashAddress(exchange) },
      { ...userContext(exchange, user), practiceId: found?.practiceId ?? null },
    )
    await exchange.signIn(userId, sessionId)
    rememberDevice(user.email, exchange)
    return found ?? toCurrentUser(createUserRow(user, clock().toISOString()))
  }

  /** Returns the account of an e-mail address, and whether the password is right. Takes the same time for unknown addresses. */
  async function findAccount(email: string, password: string) {
    const { state: holder } = await bus.load(emailDecider, ids.email(email))
    const userId = holder?.userId ?? unknownUserId
    const { state: account } = await bus.load(userDecider, userId)
    return { account, matches: await passwords.verify(userId, password) }
  }

  serve(router, register, async ({ body, caller }, exchange) => {
    await quotas.checkSignUp()
    await rateLimiter.consume([{ limit: registrationLimit, value: clientNetwork(exchange.clientAddress) }])
    const { password, ...person } = body
    const user = { ...person, userId: UserId.parse(newId('user')), addressHash: hashAddress(exchange) }
    const passwordHash = await passwords.hash(password)
    let isNew = true
    const savePassword = async () => {
      isNew = await passwords.save(user.userId, passwordHash)
    }
    await registerUser(services, user, savePassword, userContext(exchange, user))
    // A repetition with the same idempotency key may come long after the first attempt: the password may have changed since.
    if (!isNew && !(await passwords.verify(user.userId, password))) throw emailTaken()
    return await beginSession(user, caller, exchange)
  })

  serve(router, login, async ({ body: { email, password }, caller }, exchange) => {
    const attempts = selectSignInLimits({
      account: normalizeEmail(email),
      network: clientNetwork(exchange.clientAddress),
      knownDeviceId: findKnownDeviceId(email, exchange),
    })
    await rateLimiter.consume(attempts)
    const { account, matches } = await findAccount(email, password).catch(async (error: unknown) => {
      // Nothing judged the password: five attempts on a busy machine would otherwise lock its owner out.
      await rateLimiter
        .refund(attempts)
        .catch((err: unknown) => logger.warn({ err }, 'sign-in attempts could not be refunded'))
      throw error
    })
    if (account.status !== 'registered' || !matches) {
      const userId = account.status === 'registered' ? account.user.userId : null
      const refused = { type: 'Refuse', userId, addressHash: hashAddress(exchange) } as const
      await bus.execute(failedSignInDecider, newId(), refused, anonymousContext(exchange))
      throw new ProblemError(401, 'invalid-credentials', 'Invalid email or password')
    }
    await rateLimiter.refund(attempts)
    await rateLimiter.reset(attempts.filter(({ limit }) => personalLimits.has(limit)))
    return await beginSession(account.user, caller, exchange)
  })

  serve(router, logout, async ({ caller }, exchange) => {
    if (caller)
      await bus.execute(
        sessionDecider,
        caller.sessionId,
        { type: 'SignOut', reason: 'signed-out' },
        exchange.commandContext,
      )
    await exchange.signOut()
    return null
  })

  serve(router, currentUser, async ({ caller }) => {
    const user = await findUser(db, caller.userId, clock())
    if (!user) throw new ProblemError(401, 'signed-out', 'Please sign in first.')
    return user
  })

  return router
}

const emailTaken = () =>
  new CommandRejected({ rejected: 'email-taken', message: 'This email is already registered', path: 'email' })

/** Limits whose failures one person caused, and which are forgotten when that person signs in. */
const personalLimits = new Set([signInsPerAccountAndNetwork, signInsPerDevice])

/** Returns the context of a registration or sign-in: the user acts, regardless of who was signed in before. */
const userContext = ({ correlationId }: RequestContext, { userId, role }: RegisteredUser): CommandContext => ({
  practiceId: null,
  actor: { kind: 'user', userId, role },
  correlationId,
})

const anonymousContext = ({ correlationId }: RequestContext): CommandContext => ({
  practiceId: null,
  actor: { kind: 'process', name: 'visitor' },
  correlationId,
})
