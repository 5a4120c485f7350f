import type { UserId } from '#contracts/values/ids.ts'
import type { CommandContext } from '#eventstore/command.ts'
import { CommandRejected } from '#eventstore/command-errors.ts'
import { ProblemError } from '#http/problems.ts'
import type { Lock, RateLimiter } from '#http/rate-limiter.ts'
import type { Services } from '#modules/module.ts'
import { twoFactorChecks } from '../attempts.ts'
import { findStep } from './authenticator.ts'
import { twoFactorDecider } from './decider.ts'
import type { FactorStore } from './factor-store.ts'

/** The outcome of the second step of a sign-in: `missing` when a code is needed and none was given. */
export type SecondFactorOutcome = 'not-needed' | 'passed' | 'missing' | 'wrong'

/** The outcome, and the lock that a wrong code has set. */
type CheckedFactor = { outcome: SecondFactorOutcome; locks: readonly Lock[] }

type Parts = Pick<Services, 'bus' | 'clock'> & { factors: FactorStore; rateLimiter: RateLimiter }

/**
 * Checks the code of a user whose password was right. Each code works once. Throws 429 `locked` after ten wrong ones within an
 * hour, wherever they came from.
 */
export async function checkSecondFactor(
  parts: Parts,
  userId: UserId,
  code: string | undefined,
  context: CommandContext,
): Promise<CheckedFactor> {
  const { bus, rateLimiter } = parts
  const { state } = await bus.load(twoFactorDecider, userId)
  if (!state) return { outcome: 'not-needed', locks: [] }
  if (code === undefined) return { outcome: 'missing', locks: [] }
  const attempts = [{ limit: twoFactorChecks, value: userId }]
  const locks = await rateLimiter.consume(attempts)
  const check = /^\d+$/.test(code) ? checkAppCode : useRecoveryCode
  const isRight = await check(parts, userId, state.factorId, code, context).catch(async (error: unknown) => {
    await rateLimiter.refund(attempts)
    throw error
  })
  if (!isRight) return { outcome: 'wrong', locks }
  await rateLimiter.reset(attempts)
  return { outcome: 'passed', locks: [] }
}

type Check = (parts: Parts, userId: UserId, factorId: string, code: string, context: CommandContext) => Promise<boolean>

const checkAppCode: Check = async ({ factors, clock }, _, factorId, code) => {
  const secret = await factors.findSecret(factorId)
  const step = secret && findStep(secret, code, clock())
  return step !== null && (await factors.useStep(factorId, step))
}

const useRecoveryCode: Check = async ({ bus, factors }, userId, factorId, code, context) => {
  if (!(await factors.useRecoveryCode(factorId, code))) return false
  await bus.execute(twoFactorDecider, userId, { type: 'UseRecoveryCode', userId }, context).catch((error: unknown) => {
    // Turned off in the meantime: the code was right nevertheless.
    if (!(error instanceof CommandRejected)) throw error
  })
  return true
}

/** The refusal of a sign-in whose password was right, but which needs a code as well. */
export const codeRequired = (): ProblemError =>
  new ProblemError(401, 'two-factor-required', 'Please enter the code of your authenticator app.')

/** The refusal of a wrong or used code. */
export const wrongCode = (status: 401 | 422 = 401): ProblemError => {
  const message = 'This code is not valid, or was used before'
  return new ProblemError(status, 'invalid-code', message, { errors: [{ path: 'code', message }] })
}

/** The refusal of a right password whose user has no other second factor than passkeys, and needs one. */
export const passkeyRequired = (): ProblemError =>
  new ProblemError(
    401,
    'passkey-required',
    'Your practice requires two-factor authentication. Please sign in with your passkey.',
  )

/** Throws 401 `two-factor-required` for a user with an authenticator app. */
export async function requireNoFactor({ bus }: Pick<Services, 'bus'>, userId: UserId): Promise<void> {
  if ((await bus.load(twoFactorDecider, userId)).state) throw codeRequired()
}
