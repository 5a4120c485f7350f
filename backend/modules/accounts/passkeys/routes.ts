import type Router from '@koa/router'
import { addPasskey, beginPasskey, listPasskeys, maxPasskeys, removePasskey } from '#contracts/passkeys.ts'
import type { UserId } from '#contracts/values/ids.ts'
import { ProblemError } from '#http/problems.ts'
import type { RateLimiter } from '#http/rate-limiter.ts'
import { serve } from '#http/serve.ts'
import type { Caller } from '#http/session.ts'
import type { Services } from '#modules/module.ts'
import { requireProvenEmail } from '#modules/kit/require-proof.ts'
import { loadRequiresTwoFactor } from '#modules/practices/public.ts'
import { endSessions } from '../sessions/end-sessions.ts'
import { loadRegistration } from '../public.ts'
import type { RequirePassword } from '../passwords/require-password.ts'
import { checkSecondFactor } from '../two-factor/check-second-factor.ts'
import { refuseCode } from '../two-factor/refuse-code.ts'
import { twoFactorDecider } from '../two-factor/decider.ts'
import type { FactorStore } from '../two-factor/factor-store.ts'
import { issueChallenge, takeChallenge, toSessionHolder } from './challenges.ts'
import { isInForce, passkeyDecider } from './decider.ts'
import type { PasskeyStore } from './passkey-store.ts'
import { createCreationOptions, readNewCredential } from './web-authn.ts'

type Parts = {
  factors: FactorStore
  passkeys: PasskeyStore
  rateLimiter: RateLimiter
  requirePassword: RequirePassword
}

/** Adds the endpoints with which signed-in users see, add and remove their passkeys. */
export function addPasskeyRoutes(router: Router, services: Services, parts: Parts): void {
  const { bus, clock, newId } = services
  const { passkeys, requirePassword } = parts
  const challenges = { ...services, passkeys }

  /** Returns the passkeys in force as their user sees them. */
  async function list(userId: UserId) {
    const [{ state, history }, stored] = await Promise.all([bus.load(passkeyDecider, userId), passkeys.list(userId)])
    const addedAt = new Map(
      history.flatMap((event) =>
        event.type === 'PasskeyAdded' ? [[event.data.passkeyId, event.metadata.at] as const] : [],
      ),
    )
    const used = new Map(stored.map(({ passkeyId, lastUsedAt }) => [passkeyId, lastUsedAt]))
    return state.map(({ passkeyId, name }) => ({
      id: passkeyId,
      name,
      addedAt: addedAt.get(passkeyId) ?? clock().toISOString(),
      lastUsedAt: used.get(passkeyId)?.toISOString() ?? null,
    }))
  }

  /** Returns whether the practice of a user requires a second factor, and the user has no authenticator app. */
  async function needsPasskey({ userId, practiceId }: Caller): Promise<boolean> {
    if (practiceId === null || !(await loadRequiresTwoFactor(services, practiceId))) return false
    return (await bus.load(twoFactorDecider, userId)).state === null
  }

  serve(router, listPasskeys, async ({ caller }) => ({ items: await list(caller.userId) }))

  serve(router, beginPasskey, async ({ body: { password, code }, caller }, exchange) => {
    const { userId, sessionId } = caller
    requireProvenEmail(caller, 'add a passkey')
    await requirePassword(userId, password, 'password', exchange)
    const second = await checkSecondFactor({ ...services, ...parts }, userId, code, exchange.commandContext)
    if (second.outcome === 'wrong') throw await refuseCode(services, { userId, locks: second.locks }, exchange)
    if (second.outcome === 'missing') throw codeMissing()
    const [{ state }, person, stored] = await Promise.all([
      bus.load(passkeyDecider, userId),
      loadRegistration(services, userId),
      passkeys.list(userId),
    ])
    if (state.length >= maxPasskeys)
      throw new ProblemError(409, 'too-many-passkeys', `You have ${maxPasskeys} passkeys. Please remove one first.`)
    const owner = { userId, email: person?.email ?? '', name: person ? `${person.firstName} ${person.lastName}` : '' }
    const existing = stored.filter(({ passkeyId }) => isInForce(state, passkeyId))
    const options = await createCreationOptions(exchange.origin, owner, existing)
    return { challengeId: await issueChallenge(challenges, options.challenge, toSessionHolder(sessionId)), options }
  })

  serve(router, addPasskey, async ({ body: { challengeId, name, credential }, caller }, exchange) => {
    const { userId, sessionId: exceptSessionId } = caller
    const { commandContext: context } = exchange
    const passkeyId = newId('passkey')
    const find = async () => (await list(userId)).find(({ id }) => id === passkeyId)
    // An earlier attempt at this request may have added it, and has used up the challenge.
    const added = await find()
    if (added) return added
    const issued = await takeChallenge(challenges, challengeId, toSessionHolder(caller.sessionId))
    if (!issued) throw new ProblemError(409, 'passkey-expired', 'This took too long. Please try again.')
    const key = await readNewCredential(credential, { origin: exchange.origin, challenge: issued.challenge })
    if (!key || !(await passkeys.add({ ...key, passkeyId, userId, at: clock() })))
      throw new ProblemError(422, 'passkey-refused', 'This passkey cannot be used here. Please try another device.')
    // Where it becomes the required second factor, sessions end that began with the password alone.
    const isRequired = await needsPasskey(caller)
    const endOtherSessions = async () => {
      if (isRequired) await endSessions(services, { userId, exceptSessionId, reason: 'revoked' }, context)
    }
    await endOtherSessions()
    const { state } = await bus.execute(passkeyDecider, userId, { type: 'Add', userId, passkeyId, name }, context)
    // And one that was beginning without it.
    await endOtherSessions()
    const inForce = state.map((passkey) => passkey.passkeyId)
    await passkeys.removeOthers(userId, inForce, clock())
    const passkey = await find()
    // Removed in another window at the same moment.
    if (!passkey) throw noSuchPasskey()
    return passkey
  })

  serve(router, removePasskey, async ({ params: { passkeyId }, body: { password }, caller }, exchange) => {
    const { userId } = caller
    const { state } = await bus.load(passkeyDecider, userId)
    if (!isInForce(state, passkeyId)) throw noSuchPasskey()
    await requirePassword(userId, password, 'password', exchange)
    const command = { type: 'Remove', userId, passkeyId, isLastRequired: await needsPasskey(caller) } as const
    await bus.execute(passkeyDecider, userId, command, exchange.commandContext)
    await passkeys.remove([passkeyId])
    return null
  })
}

const noSuchPasskey = () => new ProblemError(404, 'not-found', 'This passkey was removed already.')

function codeMissing(): ProblemError {
  const message = 'Please enter the code'
  return new ProblemError(422, 'code-required', message, { errors: [{ path: 'code', message }] })
}
