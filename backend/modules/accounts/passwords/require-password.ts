import type { UserId } from '#contracts/values/ids.ts'
import { ProblemError } from '#http/problems.ts'
import type { RateLimiter } from '#http/rate-limiter.ts'
import type { RequestContext } from '#http/request-context.ts'
import type { Services } from '#modules/module.ts'
import { describeLocks, passwordChecks } from '../attempts.ts'
import { hashAddress } from '../sessions/begin-session.ts'
import { passwordDecider } from './decider.ts'
import { failedSignInDecider } from '../sessions/decider.ts'
import type { PasswordStore } from './password-store.ts'

/**
 * Checks the password that a signed-in user gives again before something important. Throws 422 `wrong-password` at a field, and
 * 429 `locked` after too many failures; both are on the record.
 */
export type RequirePassword = (
  userId: UserId,
  password: string,
  field: string,
  exchange: RequestContext,
) => Promise<void>

type Parts = Pick<Services, 'bus' | 'keyedHash' | 'newId'> & { passwords: PasswordStore; rateLimiter: RateLimiter }

export const createPasswordCheck =
  (parts: Parts): RequirePassword =>
  async (userId, password, field, exchange) => {
    const { bus, newId, passwords, rateLimiter } = parts
    const attempts = [{ limit: passwordChecks, value: userId }]
    const locks = describeLocks(await rateLimiter.consume(attempts))
    const version = await passwords.verify(userId, password).catch(async (error: unknown) => {
      // The password was not checked.
      await rateLimiter.refund(attempts)
      throw error
    })
    if (version !== null) return await rateLimiter.reset(attempts)
    const addressHash = hashAddress(parts, exchange)
    const { commandContext } = exchange
    const options = { consistency: 'eventual', idempotencyKey: null } as const
    await bus.execute(passwordDecider, userId, { type: 'RefusePassword', userId, addressHash }, commandContext, options)
    const locked = { type: 'NoteLocks', userId, addressHash, locks } as const
    if (locks.length > 0) await bus.execute(failedSignInDecider, newId(), locked, commandContext, options)
    const message = 'This is not your current password'
    throw new ProblemError(422, 'wrong-password', message, { errors: [{ path: field, message }] })
  }
