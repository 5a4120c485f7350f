import { setTimeout as sleep } from 'node:timers/promises'
import type Router from '@koa/router'
import {
  changePassword,
  endOtherSessions,
  endSession,
  forgotPassword,
  listSessions,
  resetPassword,
} from '#contracts/account-security.ts'
import { UserId } from '#contracts/values/ids.ts'
import { defaultSessionTimeout } from '#contracts/values/session-timeout.ts'
import { CommandRejected } from '#eventstore/command-errors.ts'
import { deriveId } from '#eventstore/derive-id.ts'
import { clientNetwork } from '#http/client-network.ts'
import { ProblemError } from '#http/problems.ts'
import type { RateLimiter } from '#http/rate-limiter.ts'
import type { RequestContext } from '#http/request-context.ts'
import { serve } from '#http/serve.ts'
import type { Services } from '#modules/module.ts'
import { normalizeEmail } from '#modules/kit/normalize-email.ts'
import { resetsPerAccount, resetsPerAccountAndNetwork, resetsPerNetwork } from './attempts.ts'
import { hashAddress } from './sessions/begin-session.ts'
import { finishPasswordChange, recordPasswordChange } from './passwords/change-password.ts'
import { userDecider } from './decider.ts'
import { computePasswordVersion, isResetOpen, passwordDecider } from './passwords/decider.ts'
import { sessionDecider } from './sessions/decider.ts'
import { findAccountByEmail, findEmailChangedAt } from './email-change/change-email.ts'
import { endSessions } from './sessions/end-sessions.ts'
import { createPasswordChanges } from './passwords/password-changes.ts'
import { checkNewPassword, weakPassword } from './passwords/password-rules.ts'
import type { PasswordStore } from './passwords/password-store.ts'
import type { RequirePassword } from './passwords/require-password.ts'
import { findUser } from './queries.ts'
import { loadRegistration } from './public.ts'
import { createResetLinks } from './passwords/reset-links.ts'
import { accountSettings } from './settings.ts'
import type { SignInGuard } from './sessions/sign-in-guard.ts'
import { createVisitorContext } from './visitor-context.ts'

/** Milliseconds that a reply to a forgotten password takes at least: its time must not show whether an address is known. */
const minReplyMs = 250

type Parts = {
  passwords: PasswordStore
  rateLimiter: RateLimiter
  requirePassword: RequirePassword
  guard: SignInGuard
}

/** Adds the endpoints with which users choose a new password, and see and end their sessions. */
export function addSecurityRoutes(router: Router, services: Services, parts: Parts): void {
  addPasswordRoutes(router, services, parts)
  addSessionRoutes(router, services)
}

function addPasswordRoutes(
  router: Router,
  services: Services,
  { passwords, rateLimiter, requirePassword, guard }: Parts,
): void {
  const { bus, pool, clock, newId, keyedHash, mail } = services
  const unknownUserId = UserId.parse(newId())
  const links = createResetLinks({ ...services, ...accountSettings.read(services) })
  const changes = createPasswordChanges(pool)

  /** Records a request, in the same steps whether or not the address has an account. */
  async function requestReset(email: string, exchange: RequestContext): Promise<void> {
    const holder = await findAccountByEmail(services, email, unknownUserId)
    // Requests for unknown addresses share a stream as well: its length and its queue take the same time.
    const stream = holder?.userId ?? UserId.parse(deriveId(keyedHash('unknown user', normalizeEmail(email))))
    const context = await createVisitorContext(services, stream, exchange)
    const command = {
      type: 'RequestReset',
      resetId: newId('password reset'),
      userId: holder?.userId ?? null,
      addressHash: hashAddress(services, exchange),
      at: clock().toISOString(),
    } as const
    await bus.execute(passwordDecider, stream, command, context, { consistency: 'eventual' })
  }

  serve(router, forgotPassword, async ({ body: { email } }, exchange) => {
    const account = normalizeEmail(email)
    const network = clientNetwork(exchange.clientAddress)
    await rateLimiter.consume([
      { limit: resetsPerAccountAndNetwork, value: `${network} ${account}` },
      { limit: resetsPerNetwork, value: network },
      { limit: resetsPerAccount, value: account },
    ])
    await Promise.all([requestReset(email, exchange), sleep(minReplyMs)])
    return { delivery: mail.kind === 'smtp' ? 'mail' : 'outbox' } as const
  })

  serve(router, resetPassword, async ({ body: { token, password } }, exchange) => {
    const reset = links.parseToken(token)
    if (!reset) throw invalidLink()
    const { userId, resetId } = reset
    const changeId = newId('password change')
    const at = clock().toISOString()
    const [{ state }, { state: account, history }] = await Promise.all([
      bus.load(passwordDecider, userId),
      bus.load(userDecider, userId),
    ])
    const person = account.status === 'registered' ? account.user : null
    const emailChangedAt = findEmailChangedAt(history)
    const isRepeated = state.lastChangeId === changeId
    if (!person || !(isRepeated || isResetOpen(state, resetId, at, emailChangedAt))) throw linkExpired()
    await checkNewPassword(password, person)
    const command = {
      type: 'Reset',
      resetId,
      userId,
      changeId,
      addressHash: hashAddress(services, exchange),
      at,
      emailChangedAt,
    } as const
    const passwordHash = await passwords.hash(password)
    const context = await createVisitorContext(services, userId, exchange)
    await recordPasswordChange({ ...services, changes }, command, passwordHash, context).catch(toLinkExpired)
    // The user can sign in at once.
    await guard.forgetFailedSignIns(person.email, exchange)
    return null
  })

  serve(router, changePassword, async ({ body: { currentPassword, password }, caller }, exchange) => {
    const { userId, sessionId } = caller
    const { commandContext: context } = exchange
    const addressHash = hashAddress(services, exchange)
    const changeId = newId('password change')
    const [{ state, revision }, person] = await Promise.all([
      bus.load(passwordDecider, userId),
      loadRegistration(services, userId),
    ])
    // The same request again. Its new password is the current one, unless the first attempt was interrupted.
    if (state.lastChangeId === changeId) {
      const change = { userId, changeId, keptSessionId: sessionId, version: computePasswordVersion(revision) }
      await finishPasswordChange({ ...services, changes }, change, context)
      return null
    }
    await requirePassword(userId, currentPassword, 'currentPassword', exchange)
    if (currentPassword === password) throw weakPassword('This is your current password. Please choose another')
    if (person) await checkNewPassword(password, person)
    const command = {
      type: 'Change',
      userId,
      changeId,
      basedOn: state.lastChangeId,
      sessionId,
      addressHash,
    } as const
    await recordPasswordChange({ ...services, changes }, command, await passwords.hash(password), context)
    return null
  })
}

function addSessionRoutes(router: Router, services: Services): void {
  const { bus, sessions } = services
  const revoked = { type: 'SignOut', reason: 'revoked' } as const

  serve(router, listSessions, async ({ caller }) => {
    const user = await findUser(services, caller.userId)
    const open = await sessions.list(caller.userId, user?.sessionTimeout ?? defaultSessionTimeout)
    const items = open.map(({ sessionId, startedAt, lastSeenAt, ...place }) => ({
      id: sessionId,
      ...place,
      startedAt: startedAt.toISOString(),
      lastSeenAt: lastSeenAt.toISOString(),
      isCurrent: sessionId === caller.sessionId,
    }))
    return { items: items.toSorted((a, b) => Number(b.isCurrent) - Number(a.isCurrent)) }
  })

  serve(router, endSession, async ({ params: { sessionId }, caller }, { commandContext }) => {
    if (!(await sessions.revoke(caller.userId, sessionId)))
      throw new ProblemError(404, 'not-found', 'This session has ended already.')
    await bus.execute(sessionDecider, sessionId, revoked, commandContext)
    return null
  })

  serve(router, endOtherSessions, async ({ caller }, { commandContext }) => {
    const { userId, sessionId: exceptSessionId } = caller
    await endSessions({ bus, sessions }, { userId, exceptSessionId, reason: 'revoked' }, commandContext)
    return null
  })
}

const invalidLink = () =>
  new ProblemError(404, 'not-found', 'This link is not valid. Please check that you opened all of it.')

const linkExpired = () => new ProblemError(410, 'link-expired', 'This link no longer works. Please request a new one.')

/** Reports a link that another request used first. */
function toLinkExpired(error: unknown): never {
  throw error instanceof CommandRejected ? linkExpired() : error
}
