import type { UserId } from '#contracts/values/ids.ts'
import type { CommandContext } from '#eventstore/command.ts'
import { deriveId } from '#eventstore/derive-id.ts'
import { clientNetwork } from '#http/client-network.ts'
import { ProblemError } from '#http/problems.ts'
import type { Attempt, Lock, RateLimiter } from '#http/rate-limiter.ts'
import type { RequestContext } from '#http/request-context.ts'
import type { Services } from '#modules/module.ts'
import { normalizeEmail } from '#modules/kit/normalize-email.ts'
import { describeLocks, selectSignInLimits, signInsPerAccountAndNetwork, signInsPerDevice } from '../attempts.ts'
import { findKnownDeviceId, hashAddress } from './begin-session.ts'
import { failedSignInDecider } from './decider.ts'
import { isKnownNetwork } from './known-networks.ts'
import { findAccess, type MemberAccess, type SignInAccess } from '../queries.ts'
import { signInUnavailable } from '../unavailable.ts'

const minuteMs = 60_000

/** The part that all ways to sign in share: the counted attempts, and the refusals on record. */
export type SignInGuard = ReturnType<typeof createSignInGuard>

/** Creates the guard of the sign-ins. */
export function createSignInGuard(services: Services, rateLimiter: RateLimiter) {
  const { bus, db, clock, newId, logger } = services

  const selectLimits = async (email: string, exchange: RequestContext): Promise<readonly Attempt[]> =>
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
  const forgetFailures = (attempts: readonly Attempt[]): Promise<void> =>
    rateLimiter.reset(attempts.filter(({ limit }) => personalLimits.has(limit)))

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

  return {
    recordRefusal,
    recordMissingCode,
    refuseClosedAccess,

    /** Counts an attempt before its password is checked (docs/decisions/0005). Throws 429. Returns the lock that it has set, too. */
    async count(
      email: string,
      exchange: RequestContext,
    ): Promise<{ attempts: readonly Attempt[]; locks: readonly Lock[] }> {
      const attempts = await selectLimits(email, exchange)
      return { attempts, locks: await rateLimiter.consume(attempts) }
    },

    /** Gives a counted attempt back, and rethrows: it was not checked, and five on a busy machine would otherwise lock its owner out. */
    async refundAndThrow(attempts: readonly Attempt[], error: unknown): Promise<never> {
      await rateLimiter
        .refund(attempts)
        .catch((err: unknown) => logger.warn({ err }, 'sign-in attempts could not be refunded'))
      throw error
    },

    forgetFailures,

    /** Forgets the failed attempts of this browser or network to sign in to an account. */
    forgetFailedSignIns: async (email: string, exchange: RequestContext): Promise<void> =>
      forgetFailures(await selectLimits(email, exchange)),
  }
}

/** The refusals of a sign-in with the right password. */
const closedAccess: Record<MemberAccess, { code: string; message: string } | null> = {
  open: null,
  suspended: { code: 'access-suspended', message: 'Your access to this practice was suspended. Ask its owner.' },
  ended: { code: 'access-ended', message: 'Your access to this practice has ended. Ask its owner.' },
}

/** Limits whose failures one person caused, and which are forgotten when that person signs in. */
const personalLimits = new Set([signInsPerAccountAndNetwork, signInsPerDevice])

const anonymousContext = ({ correlationId }: RequestContext): CommandContext => ({
  practiceId: null,
  actor: { kind: 'process', name: 'visitor' },
  correlationId,
})
