import type Router from '@koa/router'
import { subMinutes } from 'date-fns/subMinutes'
import {
  disableTwoFactor,
  enableTwoFactor,
  recoveryCodeCount,
  replaceRecoveryCodes,
  setUpTwoFactor,
  twoFactorStatus,
} from '#contracts/two-factor.ts'
import type { UserId } from '#contracts/values/ids.ts'
import { ProblemError } from '#http/problems.ts'
import type { RateLimiter } from '#http/rate-limiter.ts'
import type { RequestContext } from '#http/request-context.ts'
import { serve } from '#http/serve.ts'
import type { Services } from '#modules/module.ts'
import { requireProvenEmail } from '#modules/kit/require-proof.ts'
import { loadRequiresTwoFactor } from '#modules/practices/public.ts'
import { twoFactorChecks } from '../attempts.ts'
import { endSessions } from '../sessions/end-sessions.ts'
import { passkeyDecider } from '../passkeys/decider.ts'
import { loadRegistration } from '../public.ts'
import type { RequirePassword } from '../passwords/require-password.ts'
import { createSecret, describeSecret, findStep } from './authenticator.ts'
import { checkSecondFactor } from './check-second-factor.ts'
import { twoFactorDecider } from './decider.ts'
import type { FactorStore } from './factor-store.ts'
import { refuseCode } from './refuse-code.ts'

/** Minutes after which a set-up that was not finished expires. */
const setUpMinutes = 60

type Parts = {
  factors: FactorStore
  rateLimiter: RateLimiter
  requirePassword: RequirePassword
}

/** Adds the endpoints with which users turn two-factor sign-in on and off. */
export function addTwoFactorRoutes(
  router: Router,
  services: Services,
  { factors, rateLimiter, requirePassword }: Parts,
) {
  const { bus, clock, newId } = services

  /** Throws 422 at `code` when an authenticator app is in force and this is not its code. */
  async function requireCode(userId: UserId, code: string, exchange: RequestContext): Promise<void> {
    const parts = { ...services, factors, rateLimiter }
    const { outcome, locks } = await checkSecondFactor(parts, userId, code, exchange.commandContext)
    if (outcome === 'wrong') throw await refuseCode(services, { userId, locks }, exchange)
  }

  serve(router, twoFactorStatus, async ({ caller: { userId } }) => {
    const { state, history } = await bus.load(twoFactorDecider, userId)
    const enabled = history.findLast(({ type }) => type === 'TwoFactorEnabled')
    return {
      isEnabled: state !== null,
      enabledAt: (state && enabled?.metadata.at) ?? null,
      recoveryCodesLeft: state?.recoveryCodesLeft ?? 0,
    }
  })

  serve(router, setUpTwoFactor, async ({ body: { password }, caller }, exchange) => {
    const { userId } = caller
    requireProvenEmail(caller, 'set up two-factor authentication')
    await requirePassword(userId, password, 'password', exchange)
    const [{ state }, person] = await Promise.all([
      bus.load(twoFactorDecider, userId),
      loadRegistration(services, userId),
    ])
    if (state) throw isOnAlready()
    const secret = createSecret()
    await factors.begin({ userId, factorId: newId('second factor'), secret, at: clock() })
    return describeSecret(secret, person?.email ?? '')
  })

  serve(router, enableTwoFactor, async ({ body: { code }, caller }, exchange) => {
    const { commandContext } = exchange
    const { userId, sessionId: exceptSessionId } = caller
    const attempts = [{ limit: twoFactorChecks, value: userId }]
    // The other sessions began with the password alone, perhaps by someone else who knows it.
    const endOtherSessions = () => endSessions(services, { userId, exceptSessionId, reason: 'revoked' }, commandContext)
    if ((await bus.load(twoFactorDecider, userId)).state) {
      // An earlier attempt may have ended before it did so the second time.
      await endOtherSessions()
      throw isOnAlready()
    }
    const setUp = await factors.findSetUp(userId, subMinutes(clock(), setUpMinutes))
    if (!setUp) throw new ProblemError(409, 'setup-expired', 'This took too long. Please begin again.')
    const { factorId, secret } = setUp
    const locks = await rateLimiter.consume(attempts)
    const step = findStep(secret, code, clock())
    if (step === null || !(await factors.useStep(factorId, step)))
      throw await refuseCode(services, { userId, locks }, exchange)
    await rateLimiter.reset(attempts)
    const codes = await factors.createRecoveryCodes(factorId)
    const command = { type: 'Enable', userId, factorId, recoveryCodes: codes.length } as const
    // Before, so that they also end when the process is killed in between.
    await endOtherSessions()
    await bus.execute(twoFactorDecider, userId, command, commandContext)
    // And one that was beginning without the factor.
    await endOtherSessions()
    await factors.removeOthers(userId, factorId)
    return { recoveryCodes: codes }
  })

  serve(router, replaceRecoveryCodes, async ({ body: { password, code }, caller: { userId } }, exchange) => {
    await requirePassword(userId, password, 'password', exchange)
    await requireCode(userId, code, exchange)
    const command = { type: 'ReplaceRecoveryCodes', userId, recoveryCodes: recoveryCodeCount } as const
    const { state } = await bus.execute(twoFactorDecider, userId, command, exchange.commandContext)
    if (!state) throw new Error('Recovery codes were replaced without a second factor')
    return { recoveryCodes: await factors.createRecoveryCodes(state.factorId) }
  })

  serve(router, disableTwoFactor, async ({ body: { password, code }, caller: { userId, practiceId } }, exchange) => {
    await requirePassword(userId, password, 'password', exchange)
    // Decided before the code is used up, and again with the event.
    const [{ state }, passkeys, requiresTwoFactor] = await Promise.all([
      bus.load(twoFactorDecider, userId),
      bus.load(passkeyDecider, userId),
      practiceId !== null && loadRequiresTwoFactor(services, practiceId),
    ])
    const isRequired = requiresTwoFactor && passkeys.state.length === 0
    if (state && isRequired) throw requiredByPractice()
    await requireCode(userId, code, exchange)
    await bus.execute(twoFactorDecider, userId, { type: 'Disable', userId, isRequired }, exchange.commandContext)
    if (state) await factors.remove(state.factorId)
    return null
  })
}

const requiredByPractice = () =>
  new ProblemError(409, 'required-by-practice', 'Your practice requires two-factor authentication for everyone.')

const isOnAlready = () => new ProblemError(409, 'two-factor-enabled', 'Two-factor authentication is on already.')
