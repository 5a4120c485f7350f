import type Router from '@koa/router'
import { confirmEmailChange, emailStatus, requestEmailChange } from '#contracts/account-security.ts'
import { CommandRejected } from '#eventstore/command-errors.ts'
import { ProblemError } from '#http/problems.ts'
import type { RateLimiter } from '#http/rate-limiter.ts'
import { serve } from '#http/serve.ts'
import type { Services } from '#modules/module.ts'
import { normalizeEmail } from '#modules/kit/normalize-email.ts'
import { emailChangesPerAddress, emailChangesPerUser } from '../attempts.ts'
import { hashAddress } from '../sessions/begin-session.ts'
import { isEmailRequestOpen, userDecider } from '../decider.ts'
import type { RequirePassword } from '../passwords/require-password.ts'
import { changeEmail, finishEmailChange } from './change-email.ts'
import { parseEmailToken } from './links.ts'

type Parts = { rateLimiter: RateLimiter; requirePassword: RequirePassword }

/** Adds the endpoints with which users change their e-mail address. */
export function addEmailRoutes(router: Router, services: Services, { rateLimiter, requirePassword }: Parts): void {
  const { bus, clock, newId, mail } = services

  serve(router, emailStatus, async ({ caller: { userId } }) => {
    const { state } = await bus.load(userDecider, userId)
    if (state.status !== 'registered') throw new ProblemError(401, 'signed-out', 'Please sign in first.')
    const { user, emailRequest: request } = state
    const isOpen = request !== null && isEmailRequestOpen(state, request.requestId, clock().toISOString())
    return {
      email: user.email,
      pending: isOpen ? { email: request.email, expiresAt: request.expiresAt } : null,
    }
  })

  serve(router, requestEmailChange, async ({ body: { email, password }, caller: { userId } }, exchange) => {
    await requirePassword(userId, password, 'password', exchange)
    await rateLimiter.consume([
      { limit: emailChangesPerUser, value: userId },
      { limit: emailChangesPerAddress, value: normalizeEmail(email) },
    ])
    // Whether the address has an account is looked up by the job that sends the message: neither this reply nor its time shows it.
    const command = {
      type: 'RequestEmailChange',
      requestId: newId('email change request'),
      email,
      addressHash: hashAddress(services, exchange),
      at: clock().toISOString(),
    } as const
    await bus.execute(userDecider, userId, command, exchange.commandContext)
    return { delivery: mail.kind === 'smtp' ? 'mail' : 'outbox' } as const
  })

  serve(router, confirmEmailChange, async ({ body: { token }, caller: { userId } }, exchange) => {
    const link = parseEmailToken(services, token)
    if (!link) throw invalidLink()
    if (link.userId !== userId) throw otherAccount()
    const { requestId } = link
    const changeId = newId('email change')
    const { state } = await bus.load(userDecider, userId)
    // The same request again, which may have been interrupted.
    if (state.status === 'registered' && state.emailChange?.changeId === changeId) {
      await finishEmailChange(services, userId, requestId, exchange.commandContext)
      return null
    }
    if (!isEmailRequestOpen(state, requestId, clock().toISOString())) throw linkExpired()
    const email = (state.status === 'registered' && state.emailRequest?.email) || ''
    const confirmation = { userId, requestId, email, changeId, addressHash: hashAddress(services, exchange) }
    await changeEmail(services, confirmation, exchange.commandContext).catch(toLinkExpired)
    return null
  })
}

const invalidLink = () =>
  new ProblemError(404, 'not-found', 'This link is not valid. Please check that you opened all of it.')

const otherAccount = () =>
  new ProblemError(403, 'other-account', 'This link belongs to another account. Sign in to that one and open it again.')

const linkExpired = () =>
  new ProblemError(410, 'link-expired', 'This link no longer works. Please ask for the change again.')

/** Reports a link that another request used first, or that a newer one replaced. */
function toLinkExpired(error: unknown): never {
  const isExpired = error instanceof CommandRejected && error.rejection.rejected === 'link-expired'
  throw isExpired ? linkExpired() : error
}
