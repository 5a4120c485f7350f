import type Router from '@koa/router'
import { type Assertion, beginPasskeyLogin, loginWithPasskey } from '#contracts/passkeys.ts'
import { UserId } from '#contracts/values/ids.ts'
import { CommandRejected } from '#eventstore/command-errors.ts'
import { clientNetwork } from '#http/client-network.ts'
import { ProblemError } from '#http/problems.ts'
import type { RateLimiter } from '#http/rate-limiter.ts'
import type { RequestContext } from '#http/request-context.ts'
import { serve } from '#http/serve.ts'
import type { Services } from '#modules/module.ts'
import { normalizeEmail } from '#modules/kit/normalize-email.ts'
import { passkeySignInsPerNetwork } from '../attempts.ts'
import { beginSession, hashAddress, userContext } from '../sessions/begin-session.ts'
import { loadRegistration } from '../public.ts'
import type { SignInGuard } from '../sessions/sign-in-guard.ts'
import { findBrowser, issueChallenge, rememberBrowser, takeChallenge } from './challenges.ts'
import { isInForce, passkeyDecider, passkeyUseDecider } from './decider.ts'
import type { PasskeyStore } from './passkey-store.ts'
import { createRequestOptions, readUserHandle, verifyAssertion } from './web-authn.ts'

type Parts = {
  passkeys: PasskeyStore
  rateLimiter: RateLimiter
  findPasswordVersion: (userId: string) => Promise<number | null>
  guard: SignInGuard
}

/** Adds the endpoints with which users sign in with a passkey instead of the password and the code. */
export function addPasskeyLogin(router: Router, services: Services, parts: Parts): void {
  const { bus, clock } = services
  const { passkeys, rateLimiter, findPasswordVersion, guard } = parts
  const challenges = { ...services, passkeys }
  const countAttempt = ({ clientAddress }: RequestContext) => [
    { limit: passkeySignInsPerNetwork, value: clientNetwork(clientAddress) },
  ]

  serve(router, beginPasskeyLogin, async (_, exchange) => {
    await rateLimiter.consume(countAttempt(exchange))
    const options = await createRequestOptions(exchange.origin)
    const holder = rememberBrowser(services, exchange)
    return { challengeId: await issueChallenge(challenges, options.challenge, holder), options }
  })

  /** Returns whether a passkey of a user was not removed. */
  const isStillInForce = async (userId: UserId, passkeyId: string) =>
    isInForce((await bus.load(passkeyDecider, userId)).state, passkeyId)

  /** Uses up the challenge, and returns the passkey that has signed it. Throws 401. */
  async function checkAssertion(challengeId: string, credential: Assertion, exchange: RequestContext) {
    const holder = findBrowser(exchange)
    const issued = holder === null ? null : await takeChallenge(challenges, challengeId, holder)
    if (!issued) throw expired()
    const stored = await passkeys.findByCredential(credential.id)
    if (!stored) {
      await guard.recordRefusal(null, exchange)
      throw unknownPasskey()
    }
    const userId = UserId.parse(stored.userId)
    const counter = await verifyAssertion(credential, stored, { origin: exchange.origin, challenge: issued.challenge })
    const handle = readUserHandle(credential)
    if (counter === null || (handle !== null && handle !== userId)) {
      await guard.recordRefusal(userId, exchange)
      throw new ProblemError(
        401,
        'passkey-refused',
        'This passkey could not be checked. Please try again, or sign in with your password.',
      )
    }
    return { issued, userId, passkeyId: stored.passkeyId, counter }
  }

  serve(router, loginWithPasskey, async ({ body: { challengeId, email, credential }, caller }, exchange) => {
    const { issued, userId, passkeyId, counter } = await checkAssertion(challengeId, credential, exchange)
    const refuse = async (problem: ProblemError): Promise<never> => {
      await guard.recordRefusal(userId, exchange)
      throw problem
    }
    const [account, isKnown, version] = await Promise.all([
      loadRegistration(services, userId),
      isStillInForce(userId, passkeyId),
      findPasswordVersion(userId),
    ])
    if (!account || !isKnown || version === null) return await refuse(unknownPasskey())
    if (email !== undefined && normalizeEmail(email) !== normalizeEmail(account.email))
      return await refuse(new ProblemError(401, 'other-account', 'This passkey belongs to another account.'))
    const { practiceId } = await guard.refuseClosedAccess(userId, exchange)
    const at = clock()
    const use = { userId, passkeyId, challengeId, addressHash: hashAddress(services, exchange) }
    const context = { ...userContext(exchange, account), practiceId }
    if (!(await passkeys.useCounter(passkeyId, counter, at))) {
      await bus.execute(passkeyUseDecider, challengeId, { ...use, type: 'RefuseCounter' }, context)
      return await refuse(copied())
    }
    const instants = { expiresAt: issued.expiresAt.toISOString(), at: at.toISOString() }
    const command = { ...use, ...instants, type: 'Use', isInForce: isKnown } as const
    await bus.execute(passkeyUseDecider, challengeId, command, context).catch(toRefusal)
    await Promise.all([rateLimiter.refund(countAttempt(exchange)), guard.forgetFailedSignIns(account.email, exchange)])
    // The passkey may be removed after its check.
    const confirm = async () => {
      if (!(await isStillInForce(userId, passkeyId))) throw unknownPasskey()
    }
    return await beginSession(services, account, version, caller, exchange, confirm)
  })
}

const expired = () => new ProblemError(401, 'passkey-expired', 'This took too long. Please try again.')

const unknownPasskey = () =>
  new ProblemError(
    401,
    'unknown-passkey',
    'This passkey was removed from Everchart. Please sign in with your password, and delete the passkey on your device.',
  )

const copied = () =>
  new ProblemError(
    401,
    'passkey-copied',
    'This passkey was refused, because a copy of it may be in use. Sign in with your password and remove it.',
  )

/** Reports a challenge that was used or expired, or a passkey that was removed, between the checks and the record. */
function toRefusal(error: unknown): never {
  if (!(error instanceof CommandRejected)) throw error
  throw error.rejection.rejected === 'unknown-passkey' ? unknownPasskey() : expired()
}
