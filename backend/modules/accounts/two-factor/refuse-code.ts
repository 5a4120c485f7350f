import type { UserId } from '#contracts/values/ids.ts'
import type { ProblemError } from '#http/problems.ts'
import type { Lock } from '#http/rate-limiter.ts'
import type { RequestContext } from '#http/request-context.ts'
import type { Services } from '#modules/module.ts'
import { describeLocks } from '../attempts.ts'
import { hashAddress } from '../sessions/begin-session.ts'
import { failedSignInDecider } from '../sessions/decider.ts'
import { wrongCode } from './check-second-factor.ts'

/** Records the wrong code of a signed-in user with the locks that it has set. Returns the refusal. */
export async function refuseCode(
  services: Pick<Services, 'bus' | 'newId' | 'keyedHash'>,
  { userId, locks }: { userId: UserId; locks: readonly Lock[] },
  exchange: RequestContext,
): Promise<ProblemError> {
  const { bus, newId } = services
  const addressHash = hashAddress(services, exchange)
  const command = { type: 'RefuseCode', userId, addressHash, locks: describeLocks(locks) } as const
  await bus.execute(failedSignInDecider, newId(), command, exchange.commandContext, { consistency: 'eventual' })
  return wrongCode(422)
}
