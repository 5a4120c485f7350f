import type Router from '@koa/router'
import { register } from '#contracts/accounts.ts'
import { UserId } from '#contracts/values/ids.ts'
import { CommandRejected } from '#eventstore/command-errors.ts'
import { clientNetwork } from '#http/client-network.ts'
import type { RateLimiter } from '#http/rate-limiter.ts'
import { serve } from '#http/serve.ts'
import type { Services } from '#modules/module.ts'
import { createRegistrationLimit } from './attempts.ts'
import { beginSession, hashAddress, userContext } from './sessions/begin-session.ts'
import { checkNewPassword } from './passwords/password-rules.ts'
import type { PasswordStore } from './passwords/password-store.ts'
import { findAccess } from './queries.ts'
import { registerUser } from './registration.ts'
import { passkeyRequired, requireNoFactor } from './two-factor/check-second-factor.ts'

type Parts = { passwords: PasswordStore; rateLimiter: RateLimiter }

/** Adds the endpoint with which users register, and are signed in. */
export function addRegistrationRoute(router: Router, services: Services, { passwords, rateLimiter }: Parts): void {
  const { db, clock, newId, mail, quotas } = services
  const registrationLimit = createRegistrationLimit(quotas.registrationsPerNetwork)

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
    const confirm = isNew ? undefined : () => requireNoFactor(services, user.userId)
    await confirm?.()
    if (!isNew && (await findAccess(db, user.userId, clock())).needsPasskey) throw passkeyRequired()
    return await beginSession(services, user, version, caller, exchange, confirm)
  })
}

const emailTaken = () =>
  new CommandRejected({ rejected: 'email-taken', message: 'This email is already registered', path: 'email' })
