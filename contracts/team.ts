import { z } from 'zod'
import { CurrentPassword, CurrentUser, EmailAddress, Password, Username, nameField } from './accounts.ts'
import { endpoint } from './endpoint.ts'
import { InvitationId, ProviderId, UserId } from './values/ids.ts'
import { Role } from './values/roles.ts'
import { optionalLine } from './values/text.ts'

/** Days for which the link in an invitation works. */
export const invitationDays = 7

/** The path of the page to which the link in an invitation leads. */
export const invitationPage = '/invitations/:token'

/** The owner and administrators manage the team. */
const access = { permission: 'users' } as const

/** A member of the team. */
export const TeamMember = z.object({
  userId: UserId,
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  role: Role,
  isOwner: z.boolean(),
  /** True while signing in asks the member for a code. */
  hasTwoFactor: z.boolean(),
  /** `ended`: the last day of a reviewer is over. Like a suspended member, the person cannot sign in. */
  state: z.enum(['active', 'suspended', 'ended']),
  /** The last day of a reviewer in the practice's time zone, YYYY-MM-DD; null for everyone else. */
  lastDay: z.string().nullable(),
  /** The provider with whom new appointments of the member are booked by default. */
  providerId: ProviderId.nullable(),
  /** The instant at which the person joined the practice. */
  since: z.iso.datetime(),
})
export type TeamMember = z.infer<typeof TeamMember>

/** An invitation that was neither accepted nor revoked. */
export const TeamInvitation = z.object({
  id: InvitationId,
  email: z.string(),
  role: Role,
  isProvider: z.boolean(),
  lastDay: z.string().nullable(),
  /** The name of the user who sent it last; null when the user is no longer known. */
  sentBy: z.string().nullable(),
  sentAt: z.iso.datetime(),
  /** The instant from which the link no longer works. */
  expiresAt: z.iso.datetime(),
  state: z.enum(['pending', 'expired']),
})
export type TeamInvitation = z.infer<typeof TeamInvitation>

export const Team = z.object({ members: z.array(TeamMember), invitations: z.array(TeamInvitation) })
export type Team = z.infer<typeof Team>

const LastDay = z.iso
  .date({ error: 'Please enter a valid date' })
  .refine((date) => date < '2100-01-01', 'Must be before 2100')

type RoleWithEnd = { role?: Role | undefined; lastDay?: string | null | undefined; isProvider?: boolean }

/** Adds the issues of a role that does not fit the other fields: a reviewer has a last day and sees no patients. */
function checkRole({ role, lastDay = null, isProvider = false }: RoleWithEnd, context: z.RefinementCtx): void {
  const add = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
  if (role === 'reviewer' && lastDay === null) add('lastDay', 'Please enter the last day of access')
  if (role !== 'reviewer' && lastDay !== null) add('lastDay', 'Only a reviewer has a last day')
  if (role === 'reviewer' && isProvider) add('isProvider', 'A reviewer cannot be a provider')
}

/** An invitation of a person by e-mail. */
export const NewInvitation = z
  .strictObject({
    email: EmailAddress,
    role: Role,
    /** Adds the person to the providers when the invitation is accepted. */
    isProvider: z.boolean().default(false),
    /** The last day of access in the practice's time zone, YYYY-MM-DD; of a reviewer, who must have one. */
    lastDay: LastDay.nullable().default(null),
  })
  .superRefine(checkRole)

/** The changed fields only. `why` is kept with the change of a role and with a suspension. */
export const TeamChange = z
  .strictObject({
    role: Role.optional(),
    /** Comes with the role `reviewer`, also to extend it. */
    lastDay: LastDay.nullable().optional(),
    suspended: z.boolean().optional(),
    /** Links the member to a provider; null ends the link. */
    providerId: ProviderId.nullable().optional(),
    why: optionalLine(200).optional(),
  })
  .superRefine(checkRole)
export type TeamChange = z.output<typeof TeamChange>

/**
 * An invitation after it was sent. `link` is null when it was mailed. Without a mail server, the link is returned here, and
 * only here, so that the inviter can pass it on.
 */
const SentInvitation = z.object({ invitation: TeamInvitation, link: z.string().nullable() })

/** Lists the members of the practice, the owner first, and its open invitations. */
export const getTeam = endpoint({ method: 'GET', path: '/api/team', access, reply: Team })

/**
 * Invites a person by e-mail. The link in the message works once, for seven days. The reply does not depend on whether the
 * address has an account elsewhere. 409 `already-member` or `already-invited` for an address of this team. A provider takes a
 * seat of the plan: 402 `plan-limit`, with the plan that is needed as `tier`, when there is none.
 */
export const inviteMember = endpoint({
  method: 'POST',
  path: '/api/team/invitations',
  access,
  isSecret: true,
  body: NewInvitation,
  reply: SentInvitation,
  status: 201,
})

/**
 * Sends an invitation again with a new link, for another seven days. The earlier link no longer works. 409 `membership-over` for a
 * reviewer whose last day is over, 402 `plan-limit` for an expired invitation of a provider when no seat is left.
 */
export const resendInvitation = endpoint({
  method: 'POST',
  path: '/api/team/invitations/:invitationId/resend',
  access,
  isSecret: true,
  params: z.object({ invitationId: InvitationId }),
  reply: SentInvitation,
})

/** Revokes an invitation: its link no longer works. */
export const revokeInvitation = endpoint({
  method: 'DELETE',
  path: '/api/team/invitations/:invitationId',
  access,
  params: z.object({ invitationId: InvitationId }),
  reply: z.null(),
})

/**
 * Changes the role or the provider of a member, or suspends or reinstates the member; all fields or none. A suspension ends
 * the sessions and live streams of the member at once. 409 `owner-protected` for a change that would leave the practice
 * without an active owner, `own-access` for a suspension of oneself, `provider-taken` for a provider linked to someone else,
 * `reviewer` for a provider of a reviewer. A member who becomes a reviewer is unlinked.
 */
export const changeMember = endpoint({
  method: 'PATCH',
  path: '/api/team/:userId',
  access,
  params: z.object({ userId: UserId }),
  body: TeamChange,
  reply: TeamMember,
})

/**
 * Makes another active member the owner. Only for the owner, who becomes an administrator; a repetition by the former owner
 * returns the same. 409 `not-set-up` until the setup of the practice is complete.
 */
export const transferOwnership = endpoint({
  method: 'POST',
  path: '/api/team/:userId/transfer-ownership',
  access: 'member',
  params: z.object({ userId: UserId }),
  reply: TeamMember,
})

/**
 * Turns off the two-factor sign-in of a member who lost the phone and the recovery codes, with the password of the caller. Ends
 * the sessions of the member, who gets a message. 422 at `password` when that is wrong; 409 `own-access` for oneself and
 * `two-factor-off` for a member without it; 403 for the owner's.
 */
export const resetTwoFactor = endpoint({
  method: 'POST',
  path: '/api/team/:userId/two-factor/reset',
  access,
  isSecret: true,
  params: z.object({ userId: UserId }),
  body: z.strictObject({ password: CurrentPassword }),
  reply: TeamMember,
})

const token = z.object({ token: z.string().min(1).max(200) })

/** An invitation as the person who holds its link sees it. */
export const OpenedInvitation = z.object({
  practiceName: z.string(),
  email: z.string(),
  role: Role,
  lastDay: z.string().nullable(),
  expiresAt: z.iso.datetime(),
  /**
   * The account that the address has already: `without-practice` can sign in and join, `in-practice` cannot, because one account
   * belongs to one practice.
   */
  account: z.enum(['none', 'without-practice', 'in-practice']),
})
export type OpenedInvitation = z.infer<typeof OpenedInvitation>

/**
 * Shows an invitation to the person who holds its link. 404 for an unknown link; 410 `invitation-expired`,
 * `invitation-revoked`, `invitation-replaced` or `invitation-used` for one that no longer works.
 */
export const openInvitation = endpoint({
  method: 'GET',
  path: '/api/invitations/:token',
  access: 'public',
  params: token,
  reply: OpenedInvitation,
})

/**
 * Accepts an invitation, creates the account and signs the person in. The user of an account without a practice signs in first,
 * and joins with it; the body may then be empty. 404 and 410 as for opening it; 409 `in-practice` when the account of the address
 * belongs to a practice, `sign-in-first` when its user is not signed in.
 */
export const acceptInvitation = endpoint({
  method: 'POST',
  path: '/api/invitations/:token/accept',
  access: 'public',
  params: token,
  body: z.strictObject({
    /** All four are required for a new account. */
    firstName: nameField('first name').optional(),
    lastName: nameField('last name').optional(),
    username: Username.optional(),
    password: Password.optional(),
  }),
  reply: CurrentUser,
  status: 201,
})
