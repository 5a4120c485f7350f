import { z } from 'zod'
import { InvitationId, PracticeId, ProviderId, UserId } from '#contracts/values/ids.ts'
import { Role } from '#contracts/values/roles.ts'
import { event } from '#eventstore/event.ts'

const invitationId = InvitationId
const practiceId = PracticeId
const userId = UserId
/** An ISO instant in UTC. */
const instant = z.iso.datetime()

/**
 * The end of a reviewer's membership; null for all other roles. `lastDay` is in the time zone that the practice had then, and
 * `endsAt` the instant at which it is over.
 */
const end = { lastDay: z.iso.date().nullable(), endsAt: instant.nullable() }

/**
 * The invitations of one address to one practice. The stream's name is derived from a keyed hash of both. `linkNumber` counts the
 * links that were sent; only the latest one works.
 */
export const InvitationEvent = z.discriminatedUnion('type', [
  event('MemberInvited', {
    invitationId,
    practiceId,
    email: z.string().min(1),
    role: Role,
    isProvider: z.boolean(),
    ...end,
    invitedBy: userId,
    linkNumber: z.number().int().min(1),
    expiresAt: instant,
  }),
  event('InvitationSentAgain', {
    invitationId,
    sentBy: userId,
    linkNumber: z.number().int().min(1),
    expiresAt: instant,
  }),
  event('InvitationRevoked', { invitationId }),
  event('InvitationAccepted', { invitationId, practiceId, userId }),
])
export type InvitationEvent = z.infer<typeof InvitationEvent>

/** A reason that a person gave; null without one. */
const why = z.string().min(1).nullable()

/** The team of a practice. */
export const TeamEvent = z.discriminatedUnion('type', [
  /** The first event of every team: the person who set up the practice owns it. */
  event('TeamStarted', { practiceId, ownerId: userId, role: Role }),
  event('MemberJoined', { practiceId, userId, role: Role, ...end, invitationId }),
  /** A change of the role, or of the last day of a reviewer. */
  event('MemberRoleChanged', { practiceId, userId, from: Role, to: Role, ...end, why }),
  event('MemberSuspended', { practiceId, userId, why }),
  event('MemberReinstated', { practiceId, userId }),
  /** The former owner (`from`) becomes an administrator. */
  event('OwnershipTransferred', { practiceId, from: userId, to: userId }),
  /** The member lost the authenticator app (`factorId`, null without one) or the passkeys, and `by` turned them off. */
  event('MemberTwoFactorReset', {
    practiceId,
    userId,
    by: userId,
    factorId: z.uuid().nullable(),
    passkeyIds: z.array(z.uuid()).optional(),
  }),
  /** The provider that the member is, before and after. */
  event('ProviderLinked', { practiceId, userId, from: ProviderId.nullable(), to: ProviderId.nullable() }),
])
export type TeamEvent = z.infer<typeof TeamEvent>
