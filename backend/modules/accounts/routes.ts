import Router from '@koa/router'
import { currentUser, login, logout, register } from '#contracts/accounts.ts'
import { UserId } from '#contracts/values/ids.ts'
import type { CommandContext } from '#eventstore/command-bus.ts'
import { ProblemError } from '#http/problems.ts'
import { type Exchange, serve } from '#http/serve.ts'
import type { Caller } from '#http/session.ts'
import type { Services } from '#modules/module.ts'
import { attempts, perEmail, registrationsPerClient, signInsPerClient } from './attempts.ts'
import { emailDecider, refusalDecider, type RegisteredUser, sessionDecider, userDecider } from './decider.ts'
import { passwords } from './passwords.ts'
import { newUserRow } from './projection.ts'
import { findUser, userOfRow } from './queries.ts'
import { nameIds, registerUser } from './registration.ts'
import { clientKey, emailKey } from './unique-names.ts'

/** Registering, signing in and out, and who is signed in. */
export function accountRoutes(services: Services): Router {
  const { bus, db, pool, clock, newId, keyedHash } = services
  const router = new Router()
  const counted = attempts(pool, clock, keyedHash)
  const kept = passwords(pool)
  const ids = nameIds(services)
  const nobody = UserId.parse(newId())
  const addressHashOf = ({ address }: Exchange) => keyedHash('address', address)

  /** Begins a session for somebody who has shown who they are; the one this browser had before ends. */
  async function beginSession(user: RegisteredUser, previous: Caller | undefined, exchange: Exchange) {
    const { userId } = user
    if (previous)
      await bus.execute(
        sessionDecider,
        previous.sessionId,
        { type: 'SignOut', reason: 'signed-in-again' },
        exchange.context,
      )
    const found = await findUser(db, userId, clock())
    const sessionId = newId()
    await bus.execute(
      sessionDecider,
      sessionId,
      { type: 'SignIn', sessionId, userId, addressHash: addressHashOf(exchange) },
      { ...contextOf(exchange, user), practiceId: found?.practiceId ?? null },
    )
    await exchange.signIn(userId, sessionId)
    return found ?? userOfRow(newUserRow(user, clock().toISOString()))
  }

  serve(router, register, async ({ body, caller }, exchange) => {
    await counted.take(registrationsPerClient, clientKey(exchange.address))
    const { password, ...person } = body
    const user = { ...person, userId: UserId.parse(newId()), addressHash: addressHashOf(exchange) }
    const passwordHash = await kept.hash(password)
    await registerUser(services, user, () => kept.keep(user.userId, passwordHash), contextOf(exchange, user))
    return await beginSession(user, caller, exchange)
  })

  serve(router, login, async ({ body: { email, password }, caller }, exchange) => {
    const client = clientKey(exchange.address)
    await counted.take(signInsPerClient, client)
    await counted.take(perEmail, emailKey(email))
    // The same steps whether or not there is such a user, so that they take the same time.
    const { state: holder } = await bus.load(emailDecider, ids.email(email))
    const { state: account } = await bus.load(userDecider, holder?.userId ?? nobody)
    const matches = await kept.check(holder?.userId ?? nobody, password)
    if (account.status !== 'registered' || !matches) {
      const userId = account.status === 'registered' ? account.user.userId : null
      const refused = { type: 'Refuse', userId, addressHash: addressHashOf(exchange) } as const
      await bus.execute(refusalDecider, newId(), refused, visitorContext(exchange))
      throw new ProblemError(401, 'invalid-credentials', 'Invalid email or password')
    }
    await counted.forget(perEmail, emailKey(email))
    await counted.giveBack(signInsPerClient, client)
    return await beginSession(account.user, caller, exchange)
  })

  serve(router, logout, async ({ caller }, exchange) => {
    if (caller)
      await bus.execute(sessionDecider, caller.sessionId, { type: 'SignOut', reason: 'signed-out' }, exchange.context)
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

/** Whoever registers or signs in acts in their own name, whoever was signed in in this browser before. */
const contextOf = ({ correlationId }: Exchange, { userId, role }: RegisteredUser): CommandContext => ({
  practiceId: null,
  actor: { kind: 'user', userId, role },
  correlationId,
})

const visitorContext = ({ correlationId }: Exchange): CommandContext => ({
  practiceId: null,
  actor: { kind: 'process', name: 'visitor' },
  correlationId,
})
