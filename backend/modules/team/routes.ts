import Router from '@koa/router'
import {
  acceptInvitation,
  changeMember,
  getTeam,
  inviteMember,
  openInvitation,
  resendInvitation,
  resetTwoFactor,
  revokeInvitation,
  type TeamChange,
  type TeamMember,
  transferOwnership,
} from '#contracts/team.ts'
import type { PracticeId, UserId } from '#contracts/values/ids.ts'
import type { CommandContext } from '#eventstore/command.ts'
import { isOfEarlierAttempt } from '#eventstore/repetition.ts'
import { notFound } from '#http/problems.ts'
import { serve } from '#http/serve.ts'
import type { Member } from '#http/session.ts'
import {
  createRequirePassword,
  findMembers,
  hasSecondFactor,
  loadSecondFactors,
  resetTwoFactor as resetFactor,
} from '#modules/accounts/public.ts'
import type { Services } from '#modules/module.ts'
import { isSetupComplete } from '#modules/practices/public.ts'
import { findPracticeProviders, requireProvider } from '#modules/providers/public.ts'
import { createInvitationPage } from './accept-invitation.ts'
import { invitationDecider, type TeamCommand, teamDecider, toSecondFactors, type TeamState } from './decider.ts'
import { executeTeam } from './execute-team.ts'
import { createInviting, resolvePlace, throwNotFound } from './invite.ts'
import { findTeam, toTeamMember } from './queries.ts'

/** The HTTP endpoints for the team of a practice and its invitations. */
export function teamRoutes(services: Services): Router {
  const { bus, db, clock, sessions } = services
  const router = new Router()
  const inviting = createInviting(services)
  const page = createInvitationPage(services)
  const requirePassword = createRequirePassword(services)

  /** Returns a member with the decided changes, which the read models may not show yet. */
  async function replyWithMember({ practiceId }: Member, userId: UserId, state: TeamState): Promise<TeamMember> {
    const row = (await findMembers(db, practiceId)).find((member) => member.userId === userId)
    const decided = state.status === 'started' ? state.members[userId] : undefined
    if (!row || !decided || state.status !== 'started') throw notFound('member')
    const providers = await findPracticeProviders(db, practiceId)
    const member = toTeamMember({ ...row, ...decided, isOwner: state.ownerId === userId }, providers, clock())
    return Object.hasOwn(state.providerIds, userId)
      ? { ...member, providerId: state.providerIds[userId] ?? null }
      : member
  }

  serve(router, getTeam, ({ caller: { practiceId } }) => findTeam(db, practiceId, clock()))

  serve(router, inviteMember, ({ caller, body }, { commandContext }) => inviting.invite(caller, body, commandContext))

  serve(router, resendInvitation, ({ caller, params: { invitationId } }, { commandContext }) =>
    inviting.sendAgain(caller, invitationId, commandContext),
  )

  serve(router, revokeInvitation, async ({ caller: { practiceId }, params: { invitationId } }, { commandContext }) => {
    const command = { type: 'Revoke', practiceId } as const
    await bus.execute(invitationDecider, invitationId, command, commandContext).catch(throwNotFound)
    return null
  })

  serve(router, changeMember, async ({ caller, params: { userId }, body }, { commandContext }) => {
    const commands = await toCommands(caller, userId, body, commandContext)
    const { state } = await executeTeam(services, caller.practiceId, commands, commandContext)
    if (body.suspended === true) await sessions.revokeAll(userId)
    return await replyWithMember(caller, userId, state)
  })

  /** Returns the commands of a change. Throws 404 for a provider of another practice, and 422 for a last day in the past. */
  async function toCommands(
    caller: Member,
    userId: UserId,
    { role, lastDay = null, suspended, providerId, why = null }: TeamChange,
    context: CommandContext,
  ): Promise<TeamCommand[]> {
    const { practiceId, userId: by } = caller
    const commands: TeamCommand[] = []
    const providers = await findPracticeProviders(db, practiceId)
    const knownProviderId = providers.find((each) => each.userId === userId)?.id ?? null
    if (role !== undefined) {
      const place = await resolvePlace(services, practiceId, role, lastDay)
      commands.push({ type: 'ChangeRole', userId, ...place, why, by, knownProviderId })
    }
    if (suspended !== undefined)
      commands.push(suspended ? { type: 'Suspend', userId, why, by } : { type: 'Reinstate', userId })
    if (providerId !== undefined) {
      const provider = providerId === null ? null : await requireProvider(services, caller, providerId, context)
      const known = { providerId: knownProviderId, userId: provider?.userId ?? null }
      commands.push({ type: 'LinkProvider', userId, providerId, known })
    }
    return commands
  }

  serve(router, transferOwnership, async ({ caller, params: { userId: to } }, { commandContext }) => {
    const isSetUp = await isSetupComplete(services, caller.practiceId)
    const command = { type: 'TransferOwnership', to, by: caller.userId, isSetUp } as const
    const { state } = await executeTeam(services, caller.practiceId, [command], commandContext)
    return await replyWithMember(caller, to, state)
  })

  serve(router, resetTwoFactor, async ({ caller, params: { userId }, body: { password } }, exchange) => {
    const { commandContext } = exchange
    const { practiceId, userId: by } = caller
    // Before the password, which a request for someone else's member must not lock.
    if (!(await findMembers(db, practiceId)).some((member) => member.userId === userId)) throw notFound('member')
    await requirePassword(by, password, 'password', exchange)
    // Before the history: if this is a factor that was set up after an earlier attempt, that attempt is found.
    const factors = await loadSecondFactors(services, userId)
    const earlier = await findEarlierReset(practiceId, userId)
    const command = { type: 'ResetTwoFactor', userId, ...factors, by } as const
    const { state } = earlier ?? (await executeTeam(services, practiceId, [command], commandContext))
    const decided = state.status === 'started' ? state.members[userId]?.reset : undefined
    const reset = earlier?.reset ?? decided
    // An earlier attempt at this request may have ended before it turned the factor off.
    if (reset !== undefined) await resetFactor(services, { userId, ...reset, by }, commandContext)
    const hasTwoFactor = hasSecondFactor(await loadSecondFactors(services, userId))
    return { ...(await replyWithMember(caller, userId, state)), hasTwoFactor }
  })

  /** Returns the factors that an earlier attempt at this request has reset: the member may have set up others since. */
  async function findEarlierReset(practiceId: PracticeId, userId: UserId) {
    const { state, history } = await bus.load(teamDecider, practiceId)
    for (const event of history)
      if (event.type === 'MemberTwoFactorReset' && event.data.userId === userId && isOfEarlierAttempt(event))
        return { state, reset: toSecondFactors(event.data) }
    return null
  }

  serve(router, openInvitation, ({ params: { token } }) => page.open(token))

  serve(router, acceptInvitation, ({ params: { token }, body, caller }, exchange) =>
    page.accept(token, body, caller, exchange),
  )

  return router
}
