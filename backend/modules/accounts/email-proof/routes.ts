import type Router from '@koa/router'
import { proveEmail, requestEmailProof } from '#contracts/account-security.ts'
import { CommandRejected } from '#eventstore/command-errors.ts'
import { ProblemError } from '#http/problems.ts'
import type { RateLimiter } from '#http/rate-limiter.ts'
import { serve } from '#http/serve.ts'
import type { Services } from '#modules/module.ts'
import { emailProofsPerUser } from '../attempts.ts'
import { userDecider } from '../decider.ts'
import { createVisitorContext } from '../visitor-context.ts'
import { parseProofToken } from './links.ts'

/** Adds the endpoints with which the address of a registration is confirmed. */
export function addEmailProofRoutes(router: Router, services: Services, rateLimiter: RateLimiter): void {
  const { bus, clock, newId } = services

  serve(router, proveEmail, async ({ body: { token } }, exchange) => {
    const link = parseProofToken(services, token)
    if (!link) throw invalidLink()
    const { userId, proofId } = link
    const command = { type: 'ProveEmail', proofId, at: clock().toISOString() } as const
    const context = await createVisitorContext(services, userId, exchange)
    const { state } = await bus.execute(userDecider, userId, command, context).catch(toLinkExpired)
    return { email: state.status === 'registered' ? state.user.email : '' }
  })

  serve(router, requestEmailProof, async ({ caller: { userId } }, { commandContext }) => {
    await rateLimiter.consume([{ limit: emailProofsPerUser, value: userId }])
    const command = { type: 'RequestEmailProof', proofId: newId('email proof'), at: clock().toISOString() } as const
    await bus.execute(userDecider, userId, command, commandContext)
    return null
  })
}

const invalidLink = () =>
  new ProblemError(404, 'not-found', 'This link is not valid. Please check that you opened all of it.')

/** Reports a link that a newer one replaced, that is too old, or whose address is no longer that of the account. */
function toLinkExpired(error: unknown): never {
  const isExpired = error instanceof CommandRejected && error.rejection.rejected === 'link-expired'
  throw isExpired ? new ProblemError(410, 'link-expired', error.rejection.message) : error
}
