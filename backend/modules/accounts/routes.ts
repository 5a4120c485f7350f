import Router from '@koa/router'
import { currentUser, login, logout, register } from '#contracts/accounts.ts'
import { UserId } from '#contracts/values/ids.ts'
import type { CommandContext } from '#eventstore/command-bus.ts'
import { ProblemError } from '#http/problems.ts'
import { type RequestContext, serve } from '#http/serve.ts'
import type { Caller } from '#http/session.ts'
import type { Services } from '#modules/module.ts'
import { createRateLimiter, signInsPerEmail, registrationsPerClient, signInsPerClient } from './attempts.ts'
import { emailDecider, failedSignInDecider, type RegisteredUser, sessionDecider, userDecider } from './decider.ts'
import { createPasswordStore } from './passwords.ts'
import { createUserRow } from './projection.ts'
import { findUser, toCurrentUser } from './queries.ts'
import { createNameHasher, registerUser } from './registration.ts'
import { clientNetwork, normalizeEmail } from './unique-names.ts'

/** The HTTP endpoints for registration, sign-in, sign-out and the current user. */
export function accountRoutes(services: Services): Router {
  const { bus, db, pool, clock, newId, keyedHash } = services
  const router = new Router()
  const rateLimiter = createRateLimiter(pool, clock, keyedHash)
  const passwords = createPasswordStore(pool)
  const ids = createNameHasher(services)
  const unknownUserId = UserId.parse(newId())
  const hashAddress = ({ clientAddress: address }: RequestContext) => keyedHash('address', address)

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
    return found ?? toCurrentUser(createUserRow(user, clock().toISOString()))
  }

  serve(router, register, async ({ body, caller }, exchange) => {
    await rateLimiter.consume(registrationsPerClient, clientNetwork(exchange.clientAddress))
    const { password, ...person } = body
    const user = { ...person, userId: UserId.parse(newId()), addressHash: hashAddress(exchange) }
    const passwordHash = await passwords.hash(password)
    await registerUser(services, user, () => passwords.save(user.userId, passwordHash), userContext(exchange, user))
    return await beginSession(user, caller, exchange)
  })

  serve(router, login, async ({ body: { email, password }, caller }, exchange) => {
    const client = clientNetwork(exchange.clientAddress)
    await rateLimiter.consume(signInsPerClient, client)
    await rateLimiter.consume(signInsPerEmail, normalizeEmail(email))
    // The same steps whether or not the account exists, so that both take the same time.
    const { state: holder } = await bus.load(emailDecider, ids.email(email))
    const { state: account } = await bus.load(userDecider, holder?.userId ?? unknownUserId)
    const matches = await passwords.verify(holder?.userId ?? unknownUserId, password)
    if (account.status !== 'registered' || !matches) {
      const userId = account.status === 'registered' ? account.user.userId : null
      const refused = { type: 'Refuse', userId, addressHash: hashAddress(exchange) } as const
      await bus.execute(failedSignInDecider, newId(), refused, anonymousContext(exchange))
      throw new ProblemError(401, 'invalid-credentials', 'Invalid email or password')
    }
    await rateLimiter.reset(signInsPerEmail, normalizeEmail(email))
    await rateLimiter.refund(signInsPerClient, client)
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
    exchange.signOut()
    return null
  })

  serve(router, currentUser, async ({ caller }) => {
    const user = await findUser(db, caller.userId, clock())
    if (!user) throw new ProblemError(401, 'signed-out', 'Please sign in first.')
    return user
  })

  return router
}

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
