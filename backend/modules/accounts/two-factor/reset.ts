import type { UserId } from '#contracts/values/ids.ts'
import type { CommandContext } from '#eventstore/command.ts'
import type { CommandBus } from '#eventstore/command-bus.ts'
import type { Services } from '#modules/module.ts'
import { endSessions } from '../sessions/end-sessions.ts'
import { isInForce, passkeyDecider } from '../passkeys/decider.ts'
import { createPasskeyStore } from '../passkeys/passkey-store.ts'
import { twoFactorDecider } from './decider.ts'
import { createFactorStore } from './factor-store.ts'

/** The second factors of a user: the authenticator app, null without one, and the passkeys. */
export type SecondFactors = { factorId: string | null; passkeyIds: readonly string[] }

/** Returns the second factors that are in force for a user, from the event store itself. */
export async function loadFactors({ bus }: { bus: CommandBus }, userId: UserId): Promise<SecondFactors> {
  const [factor, passkeys] = await Promise.all([bus.load(twoFactorDecider, userId), bus.load(passkeyDecider, userId)])
  return {
    factorId: factor.state?.factorId ?? null,
    passkeyIds: passkeys.state.map(({ passkeyId }) => passkeyId),
  }
}

/**
 * Turns off the second factors of a user who lost them, and ends the user's sessions. Can be repeated: once they are off,
 * sessions that began since stay, and so does a factor that was set up since.
 */
export async function resetSecondFactor(
  services: Pick<Services, 'bus' | 'sessions' | 'pool' | 'keyStore' | 'keyedHash'>,
  { userId, factorId, passkeyIds, by }: SecondFactors & { userId: UserId; by: UserId },
  context: CommandContext,
): Promise<void> {
  const { bus, pool } = services
  const [{ state: factor }, { state: passkeys }] = await Promise.all([
    bus.load(twoFactorDecider, userId),
    bus.load(passkeyDecider, userId),
  ])
  const hasFactor = factorId !== null && factor?.factorId === factorId
  const hasPasskeys = passkeyIds.some((passkeyId) => isInForce(passkeys, passkeyId))
  const endAllSessions = () => endSessions(services, { userId, reason: 'two-factor-reset' }, context)
  if (hasFactor || hasPasskeys) {
    // Before, so that they also end when the process is killed in between.
    await endAllSessions()
    await bus.execute(passkeyDecider, userId, { type: 'Reset', userId, passkeyIds, factorId, by }, context)
    if (factorId !== null) await bus.execute(twoFactorDecider, userId, { type: 'Reset', userId, factorId, by }, context)
    // And one that was beginning with a former factor.
    await endAllSessions()
  }
  await createPasskeyStore(pool).remove(passkeyIds)
  if (factorId !== null) await createFactorStore(services).remove(factorId)
}
