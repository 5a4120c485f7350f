import type { CurrentUser } from '#contracts/accounts.ts'
import type { CommandContext } from '#eventstore/command.ts'
import type { RequestContext } from '#http/request-context.ts'
import type { Caller } from '#http/session.ts'
import type { Services } from '#modules/module.ts'
import { normalizeEmail } from '#modules/kit/normalize-email.ts'
import type { RegisteredUser } from '../decider.ts'
import { sessionDecider } from './decider.ts'
import { addAccount, deviceCookie, formatDevice, parseDevice } from './known-device.ts'
import { rememberNetwork } from './known-networks.ts'
import { createUserRow } from '../projection.ts'
import { findUser, toCurrentUser } from '../queries.ts'

/** Returns the keyed hash of a client's address: two can be compared, but the address cannot be recovered. */
export const hashAddress = ({ keyedHash }: Pick<Services, 'keyedHash'>, { clientAddress }: RequestContext): string =>
  keyedHash('address', clientAddress)

/** Returns the context of a registration or sign-in: the user acts, regardless of who was signed in before. */
export const userContext = (
  { correlationId }: RequestContext,
  { userId, role }: Pick<RegisteredUser, 'userId' | 'role'>,
): CommandContext => ({ practiceId: null, actor: { kind: 'user', userId, role }, correlationId })

/** A shortened hash: the cookie may name twenty accounts. */
const hashDeviceAccount = ({ keyedHash }: Pick<Services, 'keyedHash'>, email: string) =>
  keyedHash('device account', normalizeEmail(email)).slice(0, 32)

/** Returns the id of the browser if it has signed in to this account before. */
export function findKnownDeviceId(
  services: Pick<Services, 'keyedHash'>,
  email: string,
  exchange: RequestContext,
): string | null {
  const device = parseDevice(exchange.getCookie(deviceCookie))
  return device?.accounts.includes(hashDeviceAccount(services, email)) ? device.id : null
}

/**
 * Starts a session for an authenticated user, ends the previous session of this browser, and marks the browser and its network as
 * ones that have signed in to this account. The session works as long as the password has this version. `confirm` may refuse the session after
 * it has begun, by throwing: it then ends.
 */
export async function beginSession(
  services: Pick<Services, 'bus' | 'db' | 'mail' | 'clock' | 'newId' | 'keyedHash' | 'relaxedPool' | 'logger'>,
  user: RegisteredUser,
  passwordVersion: number,
  previous: Caller | undefined,
  exchange: RequestContext,
  confirm: () => Promise<void> = () => Promise.resolve(),
): Promise<CurrentUser> {
  const { bus, clock, newId } = services
  const { userId, email } = user
  if (previous)
    await bus.execute(
      sessionDecider,
      previous.sessionId,
      { type: 'SignOut', reason: 'signed-in-again' },
      exchange.commandContext,
    )
  const found = await findUser(services, userId)
  const sessionId = newId()
  const context = { ...userContext(exchange, user), practiceId: found?.practiceId ?? null }
  const signIn = { type: 'SignIn', sessionId, userId, addressHash: hashAddress(services, exchange) } as const
  await bus.execute(sessionDecider, sessionId, signIn, context)
  await exchange.signIn(userId, sessionId, passwordVersion)
  await confirm().catch(async (error: unknown) => {
    await exchange.signOut()
    await bus.execute(sessionDecider, sessionId, { type: 'SignOut', reason: 'revoked' }, context)
    throw error
  })
  const device = parseDevice(exchange.getCookie(deviceCookie)) ?? { id: newId(), accounts: [] }
  exchange.setCookie(deviceCookie, formatDevice(addAccount(device, hashDeviceAccount(services, email))))
  await rememberNetwork(services, email, exchange.clientAddress).catch((err: unknown) =>
    services.logger.warn({ err }, 'the network of a sign-in could not be remembered'),
  )
  return found ?? toCurrentUser(createUserRow(user, clock().toISOString()))
}
