import type { z } from 'zod'
import type { CurrentUser } from '#contracts/accounts.ts'
import type { acceptInvitation, OpenedInvitation } from '#contracts/team.ts'
import { UserId } from '#contracts/values/ids.ts'
import type { CommandContext } from '#eventstore/command.ts'
import type { CommandOptions } from '#eventstore/command-bus.ts'
import { CommandRejected } from '#eventstore/command-errors.ts'
import type { Rejection } from '#eventstore/decider.ts'
import { invalidRequest, notFound, ProblemError } from '#http/problems.ts'
import type { RequestContext } from '#http/request-context.ts'
import type { Caller } from '#http/session.ts'
import {
  createMemberAccounts,
  findAccountOfEmail,
  findMemberships,
  proveEmailByLink,
} from '#modules/accounts/public.ts'
import type { Services } from '#modules/module.ts'
import { findPracticeProfile } from '#modules/practices/public.ts'
import { addMemberAsProvider } from '#modules/providers/public.ts'
import { ReadModelsBehind, throwNotReady, waitForReadModels } from '#modules/kit/wait-for-read-models.ts'
import { checkLink, invitationDecider, type InvitationState } from './decider.ts'
import { executeTeam } from './execute-team.ts'
import { parseInvitationToken } from './links.ts'

type KnownInvitation = Exclude<InvitationState, { status: 'none' }>
type Acceptance = z.output<typeof acceptInvitation.body>

/**
 * Adds the person who accepted an invitation to the team of the practice, and to its providers if the invitation says so. What
 * has happened already is not repeated. Throws ReadModelsBehind.
 */
export async function completeAcceptance(
  services: Services,
  { invitationId, practiceId, email, role, lastDay, endsAt, isProvider }: KnownInvitation,
  userId: UserId,
  context: CommandContext,
  options: CommandOptions = {},
): Promise<void> {
  await proveEmailByLink(services, userId, { email, proofId: invitationId }, context)
  const command = { type: 'Join', userId, invitationId, role, lastDay, endsAt } as const
  const { position } = await executeTeam(services, practiceId, [command], context, options)
  // Another attempt has just written it.
  if (position === null) await waitForReadModels(services, ['MemberJoined'])
  if (!isProvider) return
  await waitForReadModels(services, ['UserRegistered', 'PracticeSetUp', 'ProviderAdded'])
  const membership = (await findMemberships(services.db, [userId], services.clock())).get(userId)
  // The account set up or joined another practice first, or the person became a reviewer.
  if (membership?.practiceId !== practiceId || membership.role === 'reviewer') return
  // Without a check of the plan: the invitation has reserved the seat.
  const isAdded = await addMemberAsProvider(services, { practiceId, userId }, context)
  if (!isAdded) throw new ReadModelsBehind('The new member cannot be looked up yet')
}

/** The page behind the link of an invitation. Both methods throw 404 for an unknown link, and 410 for one that no longer works. */
export type InvitationPage = {
  open(token: string): Promise<OpenedInvitation>
  accept(
    token: string,
    acceptance: Acceptance,
    caller: Caller | undefined,
    exchange: RequestContext,
  ): Promise<CurrentUser>
}

export function createInvitationPage(services: Services): InvitationPage {
  const { bus, db, clock, newId } = services
  const accounts = createMemberAccounts(services)

  async function load(token: string): Promise<{ invitation: KnownInvitation; linkNumber: number }> {
    const link = parseInvitationToken(services, token)
    const state = link && (await bus.load(invitationDecider, link.invitationId)).state
    if (!link || !state || state.status === 'none') throw notFound('invitation')
    return { invitation: state, linkNumber: link.linkNumber }
  }

  const now = () => clock().toISOString()

  /** Returns the account that joins: a new one, or the one of the address, whose user must be signed in. */
  async function prepareAccount(
    { email, role, acceptedBy }: KnownInvitation,
    acceptance: Acceptance,
    caller: Caller | undefined,
    newUserId: UserId,
    exchange: RequestContext,
  ) {
    const account = await findAccountOfEmail(services, email).catch(throwNotReady)
    if (!account)
      return await accounts.register({ ...requireNewAccount(acceptance), userId: newUserId, email, role }, exchange)
    const { userId } = account.user
    // An earlier attempt at this request has registered it, or the user has accepted the invitation before.
    if (userId === newUserId || (userId === acceptedBy && userId === caller?.userId)) return account.user
    if (account.practiceId !== null) throw inPractice()
    if (caller?.userId !== account.user.userId) throw signInFirst()
    return account.user
  }

  return {
    async open(token) {
      const { invitation, linkNumber } = await load(token)
      throwIfGone(checkLink(invitation, linkNumber, now()))
      const { practiceId, email, role, lastDay, expiresAt } = invitation
      const practiceName = (await findPracticeProfile(db, practiceId))?.name ?? 'Your practice'
      const account = await findAccountOfEmail(services, email).catch(throwNotReady)
      const status = !account ? 'none' : account.practiceId === null ? 'without-practice' : 'in-practice'
      return { practiceName, email, role, lastDay, expiresAt, account: status }
    },

    async accept(token, acceptance, caller, exchange) {
      const { invitation, linkNumber } = await load(token)
      const { practiceId, invitationId } = invitation
      const newUserId = UserId.parse(newId('user'))
      // The same request again, of a new account or of one that is signed in.
      const isRepeated = [newUserId, caller?.userId].includes(invitation.acceptedBy ?? undefined)
      if (!isRepeated) throwIfGone(checkLink(invitation, linkNumber, now()))
      const user = await prepareAccount(invitation, acceptance, caller, newUserId, exchange)
      const { userId } = user
      const context: CommandContext = {
        practiceId,
        actor: { kind: 'user', userId, role: user.role },
        correlationId: exchange.correlationId,
      }
      const command = { type: 'Accept', linkNumber, userId, at: now() } as const
      const { state } = await bus.execute(invitationDecider, invitationId, command, context).catch((error: unknown) => {
        if (error instanceof CommandRejected) throwIfGone(error.rejection)
        throw error
      })
      if (state.status === 'none') throw notFound('invitation')
      // Where the read models are behind, a job completes it.
      await completeAcceptance(services, state, userId, context).catch((error: unknown) => {
        if (!(error instanceof ReadModelsBehind)) throw error
      })
      return await accounts.signIn(user, caller, exchange)
    },
  }
}

/** Returns the fields of a new account. Throws 422 for those that are missing. */
function requireNewAccount({ firstName, lastName, username, password }: Acceptance) {
  if (firstName && lastName && username && password) return { firstName, lastName, username, password }
  const missing = [
    [firstName, 'firstName', 'Please enter your first name'],
    [lastName, 'lastName', 'Please enter your last name'],
    [username, 'username', 'Please enter a username'],
    [password, 'password', 'Please enter a password'],
  ] as const
  throw invalidRequest(missing.flatMap(([value, path, message]) => (value ? [] : [{ path, message }])))
}

function throwIfGone(rejection: Rejection | null): void {
  if (rejection) throw new ProblemError(410, rejection.rejected, rejection.message)
}

const inPractice = () =>
  new ProblemError(
    409,
    'in-practice',
    'This address has an account in another practice, and one account belongs to one practice. Ask for an invitation to another address.',
  )

const signInFirst = () =>
  new ProblemError(
    409,
    'sign-in-first',
    'This address has an account already. Sign in to it, then accept the invitation.',
  )
