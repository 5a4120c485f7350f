import { addDays } from 'date-fns/addDays'
import { invitationDays } from '#contracts/team.ts'
import type { InvitationId, PracticeId, ProviderId, UserId } from '#contracts/values/ids.ts'
import type { Role } from '#contracts/values/roles.ts'
import { type Decider, reject, type Rejection } from '#eventstore/decider.ts'
import { InvitationEvent, TeamEvent } from './events.ts'

/** A role in a practice, and the end of the membership, which only reviewers have. `endsAt` is an ISO instant in UTC. */
export type Place = { role: Role; lastDay: string | null; endsAt: string | null }

type Invitation = Place & {
  invitationId: InvitationId
  practiceId: PracticeId
  email: string
  isProvider: boolean
}

/** The commands for the invitations of one address. `at` is an ISO instant in UTC; `by` is the user who gives the command. */
export type InvitationCommand =
  | { type: 'Invite'; invitation: Invitation; by: UserId; at: string }
  | { type: 'SendAgain'; practiceId: PracticeId; by: UserId; at: string }
  | { type: 'Revoke'; practiceId: PracticeId }
  | { type: 'Accept'; linkNumber: number; userId: UserId; at: string }

/** The latest invitation of an address. `acceptedBy` is the account that accepted it. */
export type InvitationState =
  | { status: 'none' }
  | ({
      status: 'pending' | 'revoked' | 'accepted'
      linkNumber: number
      expiresAt: string
      acceptedBy: UserId | null
    } & Invitation)

/** The reasons for which a link does not work. */
export type LinkRejection = 'invitation-used' | 'invitation-revoked' | 'invitation-replaced' | 'invitation-expired'

export type InvitationRejection = 'not-found' | 'already-invited' | 'membership-over' | LinkRejection

const linkMessages: Record<LinkRejection, string> = {
  'invitation-used': 'This invitation was accepted already. Sign in with your email and password.',
  'invitation-revoked': 'This invitation was withdrawn. Ask the practice for a new one.',
  'invitation-replaced': 'A newer invitation was sent to you. Use the link in the latest message.',
  'invitation-expired': 'This invitation has expired. Ask the practice to send it again.',
}

/** Returns why a link does not work at an instant (ISO, UTC); null for one that does. */
export function checkLink(
  state: Exclude<InvitationState, { status: 'none' }>,
  linkNumber: number,
  at: string,
): Rejection<LinkRejection> | null {
  const rejectLink = (code: LinkRejection) => reject(code, linkMessages[code])
  if (state.status === 'accepted') return rejectLink('invitation-used')
  if (state.status === 'revoked') return rejectLink('invitation-revoked')
  if (state.linkNumber !== linkNumber) return rejectLink('invitation-replaced')
  const isOver = state.endsAt !== null && state.endsAt <= at
  return isOver || state.expiresAt <= at ? rejectLink('invitation-expired') : null
}

/** The rules of an invitation: each of its links works once, for seven days, until it is sent again or revoked. */
export const invitationDecider: Decider<InvitationCommand, InvitationEvent, InvitationState, InvitationRejection> = {
  category: 'invitation',
  events: InvitationEvent,
  initial: { status: 'none' },
  decide: decideInvitation,
  evolve: evolveInvitation,
}

const computeExpiry = (at: string): string => addDays(at, invitationDays).toISOString()

const noInvitation = () => reject('not-found', 'There is no such invitation.')

function decideInvitation(command: InvitationCommand, state: InvitationState) {
  if (command.type === 'Invite') {
    if (state.status === 'pending' && state.expiresAt > command.at)
      return reject('already-invited', 'This person was invited already. You can send the invitation again.', 'email')
    const linkNumber = state.status === 'none' ? 1 : state.linkNumber + 1
    const { invitation, by: invitedBy, at } = command
    return [
      { type: 'MemberInvited', data: { ...invitation, invitedBy, linkNumber, expiresAt: computeExpiry(at) } } as const,
    ]
  }
  if (state.status === 'none') return noInvitation()
  const { invitationId, practiceId } = state
  if (command.type === 'Accept') {
    if (state.status === 'accepted' && state.acceptedBy === command.userId) return []
    const rejection = checkLink(state, command.linkNumber, command.at)
    return (
      rejection ?? [{ type: 'InvitationAccepted', data: { invitationId, practiceId, userId: command.userId } } as const]
    )
  }
  if (command.practiceId !== practiceId || state.status !== 'pending') return noInvitation()
  if (command.type === 'Revoke') return [{ type: 'InvitationRevoked', data: { invitationId } } as const]
  if (state.endsAt !== null && state.endsAt <= command.at)
    return reject(
      'membership-over',
      'The last day of this reviewer is over. Revoke the invitation, and invite them again.',
    )
  const linkNumber = state.linkNumber + 1
  const expiresAt = computeExpiry(command.at)
  return [{ type: 'InvitationSentAgain', data: { invitationId, sentBy: command.by, linkNumber, expiresAt } } as const]
}

function evolveInvitation(state: InvitationState, event: InvitationEvent): InvitationState {
  if (event.type === 'MemberInvited') {
    const { invitedBy: _, ...invitation } = event.data
    return { status: 'pending', acceptedBy: null, ...invitation }
  }
  if (state.status === 'none') return state
  if (event.type === 'InvitationSentAgain') {
    const { linkNumber, expiresAt } = event.data
    return { ...state, linkNumber, expiresAt }
  }
  if (event.type === 'InvitationRevoked') return { ...state, status: 'revoked' }
  return { ...state, status: 'accepted', acceptedBy: event.data.userId }
}

/** The commands for the team of a practice. `by` is the user who gives the command. */
export type TeamCommand =
  /** Precedes every other command: the team begins with the owner, who is known from the practice. */
  | { type: 'Start'; practiceId: PracticeId; ownerId: UserId; role: Role }
  | ({ type: 'Join'; userId: UserId; invitationId: InvitationId } & Place)
  | ({
      type: 'ChangeRole'
      userId: UserId
      why: string | null
      by: UserId
      /** The provider of the member before any link that the team made. */
      knownProviderId: ProviderId | null
    } & Place)
  | { type: 'Suspend'; userId: UserId; why: string | null; by: UserId }
  | { type: 'Reinstate'; userId: UserId }
  /** `isSetUp`: the setup of the practice is complete, which only its founder can do. */
  | { type: 'TransferOwnership'; to: UserId; by: UserId; isSetUp: boolean }
  /** `factorId`: the second factor that is in force for the member; null without one. */
  | ({ type: 'ResetTwoFactor'; userId: UserId; by: UserId } & Pick<SecondFactors, 'factorId'> & Partial<SecondFactors>)
  | {
      type: 'LinkProvider'
      userId: UserId
      providerId: ProviderId | null
      /** The provider of the member, and the user of the provider, before any link that the team made. */
      known: { providerId: ProviderId | null; userId: UserId | null }
    }

/** The second factors of a member: an authenticator app, null without one, and passkeys. */
type SecondFactors = { factorId: string | null; passkeyIds: readonly string[] }

/** Returns the second factors that an event has reset. */
export const toSecondFactors = ({
  factorId,
  passkeyIds = [],
}: Extract<TeamEvent, { type: 'MemberTwoFactorReset' }>['data']): SecondFactors => ({ factorId, passkeyIds })

/** `reset`: the second factors that were reset last. */
type Member = Place & { isSuspended: boolean; reset?: SecondFactors }

/**
 * The team of a practice: its owner, and its members by user id. `providerIds` are the links that the team made. `formerOwnerId`
 * is the user who transferred the ownership last.
 */
export type TeamState =
  | { status: 'none' }
  | {
      status: 'started'
      practiceId: PracticeId
      ownerId: UserId
      formerOwnerId: UserId | null
      members: Readonly<Record<string, Member>>
      providerIds: Readonly<Record<string, ProviderId | null>>
    }

export type TeamRejection =
  | 'not-found'
  | 'already-member'
  | 'owner-protected'
  | 'owner-only'
  | 'own-access'
  | 'not-active'
  | 'not-set-up'
  | 'provider-taken'
  | 'reviewer'
  | 'two-factor-off'

/** The rules of a team. The practice always has an active owner, who has every permission. */
export const teamDecider: Decider<TeamCommand, TeamEvent, TeamState, TeamRejection> = {
  category: 'team',
  events: TeamEvent,
  initial: { status: 'none' },
  decide: decideTeam,
  evolve: evolveTeam,
}

type StartedTeam = Extract<TeamState, { status: 'started' }>
type CommandFor<Type extends TeamCommand['type']> = Extract<TeamCommand, { type: Type }>

const noMember = () => reject('not-found', 'There is no such member.')

function decideTeam(command: TeamCommand, state: TeamState): readonly TeamEvent[] | Rejection<TeamRejection> {
  if (command.type === 'Start') {
    const { practiceId, ownerId, role } = command
    return state.status === 'none' ? [{ type: 'TeamStarted', data: { practiceId, ownerId, role } }] : []
  }
  if (state.status === 'none') return noMember()
  const { practiceId, members } = state
  switch (command.type) {
    case 'Join':
      return join(command, state)
    case 'ChangeRole':
      return changeRole(command, state)
    case 'Suspend': {
      const { userId, why, by } = command
      if (!members[userId]) return noMember()
      if (members[userId].isSuspended) return []
      if (userId === state.ownerId)
        return reject('owner-protected', 'The owner cannot be suspended. Transfer the ownership first.', 'suspended')
      if (userId === by) return reject('own-access', 'You cannot suspend yourself.', 'suspended')
      return [{ type: 'MemberSuspended', data: { practiceId, userId, why } }]
    }
    case 'Reinstate': {
      const { userId } = command
      if (!members[userId]) return noMember()
      return members[userId].isSuspended ? [{ type: 'MemberReinstated', data: { practiceId, userId } }] : []
    }
    case 'TransferOwnership':
      return transferOwnership(command, state)
    case 'ResetTwoFactor':
      return resetTwoFactor(command, state)
    case 'LinkProvider':
      return linkProvider(command, state)
  }
}

function join({ userId, invitationId, role, lastDay, endsAt }: CommandFor<'Join'>, state: StartedTeam) {
  if (state.members[userId]) return []
  const { practiceId } = state
  return [{ type: 'MemberJoined', data: { practiceId, userId, role, lastDay, endsAt, invitationId } } as const]
}

function changeRole(
  { userId, role: to, lastDay, endsAt, why, by, knownProviderId }: CommandFor<'ChangeRole'>,
  { practiceId, ownerId, members, providerIds }: StartedTeam,
): readonly TeamEvent[] | Rejection<TeamRejection> {
  const member = members[userId]
  if (!member) return noMember()
  const isSame = member.role === to && member.lastDay === lastDay && member.endsAt === endsAt
  const linkedId = Object.hasOwn(providerIds, userId) ? (providerIds[userId] ?? null) : knownProviderId
  // A reviewer sees no patients. The provider stays, without an account.
  const isUnlinked = to === 'reviewer' && linkedId !== null
  if (isSame && !isUnlinked) return []
  if (userId === ownerId && by !== ownerId)
    return reject('owner-only', 'Only the owner can change the role of the owner.', 'role')
  // A membership that ends would leave the practice without an owner.
  if (userId === ownerId && to === 'reviewer')
    return reject('owner-protected', 'The owner cannot be a reviewer. Transfer the ownership first.', 'role')
  const changed: TeamEvent = {
    type: 'MemberRoleChanged',
    data: { practiceId, userId, from: member.role, to, lastDay, endsAt, why },
  }
  const unlinked: TeamEvent = { type: 'ProviderLinked', data: { practiceId, userId, from: linkedId, to: null } }
  return [...(isSame ? [] : [changed]), ...(isUnlinked ? [unlinked] : [])]
}

function transferOwnership(
  { to, by, isSetUp }: CommandFor<'TransferOwnership'>,
  { practiceId, ownerId, formerOwnerId, members }: StartedTeam,
): readonly TeamEvent[] | Rejection<TeamRejection> {
  // A repetition by the former owner, whose first request was carried out.
  if (to === ownerId && (by === ownerId || by === formerOwnerId)) return []
  if (by !== ownerId) return reject('owner-only', 'Only the owner can transfer the ownership.')
  const member = members[to]
  if (!member) return noMember()
  if (member.isSuspended)
    return reject('not-active', 'A suspended member cannot own the practice. Reinstate them first.')
  if (member.role === 'reviewer')
    return reject('not-active', 'A reviewer cannot own the practice, because the access of a reviewer ends.')
  if (!isSetUp)
    return reject('not-set-up', 'Finish setting up your practice first. Only you can do that, and not the new owner.')
  return [{ type: 'OwnershipTransferred', data: { practiceId, from: ownerId, to } }]
}

function resetTwoFactor(
  { userId, factorId, passkeyIds = [], by }: CommandFor<'ResetTwoFactor'>,
  { practiceId, ownerId, members }: StartedTeam,
): readonly TeamEvent[] | Rejection<TeamRejection> {
  const member = members[userId]
  if (!member) return noMember()
  if (userId === by)
    return reject('own-access', 'You cannot reset your own two-factor authentication. Use a recovery code.')
  // Who resets it and knows the password signs in as the owner.
  if (userId === ownerId) return reject('owner-only', 'The two-factor authentication of the owner cannot be reset.')
  const { reset } = member
  if (factorId === null && passkeyIds.length === 0 && reset === undefined)
    return reject('two-factor-off', 'This person does not use two-factor authentication.')
  // Reset already, for example by an earlier attempt at the request.
  const isFactorReset = factorId === null || reset?.factorId === factorId
  if (isFactorReset && passkeyIds.every((id) => reset?.passkeyIds.includes(id))) return []
  const passkeys = passkeyIds.length === 0 ? {} : { passkeyIds: [...passkeyIds] }
  return [{ type: 'MemberTwoFactorReset', data: { practiceId, userId, by, factorId, ...passkeys } }]
}

function linkProvider(
  { userId, providerId: to, known }: CommandFor<'LinkProvider'>,
  { practiceId, members, providerIds }: StartedTeam,
): readonly TeamEvent[] | Rejection<TeamRejection> {
  if (!members[userId]) return noMember()
  const from = Object.hasOwn(providerIds, userId) ? (providerIds[userId] ?? null) : known.providerId
  if (from === to) return []
  if (to !== null && members[userId].role === 'reviewer')
    return reject('reviewer', 'A reviewer cannot be a provider. Change the role first.', 'providerId')
  const linked = Object.keys(providerIds).find((other) => to !== null && providerIds[other] === to)
  // A link that the team ended since is no longer known by its first holder.
  const first = known.userId !== null && !Object.hasOwn(providerIds, known.userId) ? known.userId : null
  const holder = linked ?? first
  if (to !== null && holder !== null && holder !== userId)
    return reject('provider-taken', 'This provider is linked to another member. End that link first.', 'providerId')
  return [{ type: 'ProviderLinked', data: { practiceId, userId, from, to } }]
}

function evolveTeam(state: TeamState, event: TeamEvent): TeamState {
  if (event.type === 'TeamStarted') {
    const { practiceId, ownerId, role } = event.data
    const members = { [ownerId]: { role, lastDay: null, endsAt: null, isSuspended: false } }
    return { status: 'started', practiceId, ownerId, formerOwnerId: null, members, providerIds: {} }
  }
  if (state.status === 'none') return state
  const update = (userId: UserId, change: Partial<Member>): StartedTeam => {
    const member = state.members[userId]
    return member ? { ...state, members: { ...state.members, [userId]: { ...member, ...change } } } : state
  }
  switch (event.type) {
    case 'MemberJoined': {
      const { userId, role, lastDay, endsAt } = event.data
      return { ...state, members: { ...state.members, [userId]: { role, lastDay, endsAt, isSuspended: false } } }
    }
    case 'MemberRoleChanged': {
      const { userId, to: role, lastDay, endsAt } = event.data
      return update(userId, { role, lastDay, endsAt })
    }
    case 'MemberSuspended':
      return update(event.data.userId, { isSuspended: true })
    case 'MemberReinstated':
      return update(event.data.userId, { isSuspended: false })
    case 'OwnershipTransferred':
      return {
        ...update(event.data.from, { role: 'administrator' }),
        ownerId: event.data.to,
        formerOwnerId: event.data.from,
      }
    case 'MemberTwoFactorReset':
      return update(event.data.userId, { reset: toSecondFactors(event.data) })
    case 'ProviderLinked':
      return { ...state, providerIds: { ...state.providerIds, [event.data.userId]: event.data.to } }
  }
}
