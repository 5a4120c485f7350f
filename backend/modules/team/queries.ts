import { type CommonQueryMethods, sql } from 'slonik'
import { type Team, TeamInvitation, type TeamMember } from '#contracts/team.ts'
import { UserId } from '#contracts/values/ids.ts'
import { findMembers, findUserNames, type MemberRow } from '#modules/accounts/public.ts'
import { findPracticeProviders, type PracticeProvider } from '#modules/providers/public.ts'

const InvitationRow = TeamInvitation.omit({ sentBy: true, state: true }).extend({ sentBy: UserId })

/** Finds the open invitations of a practice, newest first, expired ones included. */
async function findInvitations(db: CommonQueryMethods, practiceId: string, now: Date): Promise<TeamInvitation[]> {
  const rows = await db.any(sql.type(InvitationRow)`
    select id, email, role, is_provider as "isProvider", last_day as "lastDay", sent_by as "sentBy", sent_at as "sentAt",
      expires_at as "expiresAt"
    from read.team_invitations where practice_id = ${practiceId} order by sent_at desc, id`)
  const names = await findUserNames(db, [...new Set(rows.map(({ sentBy }) => sentBy))])
  return rows.map((row) => ({
    ...row,
    sentBy: names.get(row.sentBy) ?? null,
    state: Date.parse(row.expiresAt) > now.getTime() ? 'pending' : 'expired',
  }))
}

/** Returns a member as the team shows it. */
export function toTeamMember(row: MemberRow, providers: readonly PracticeProvider[], now: Date): TeamMember {
  const {
    userId,
    firstName,
    lastName,
    email,
    role,
    isOwner,
    hasTwoFactor,
    isSuspended,
    lastDay,
    endsAt,
    joinedAt: since,
  } = row
  const isOver = endsAt !== null && Date.parse(endsAt) <= now.getTime()
  const state = isSuspended ? 'suspended' : isOver ? 'ended' : 'active'
  const providerId = providers.find((provider) => provider.userId === userId)?.id ?? null
  return { userId, firstName, lastName, email, role, isOwner, hasTwoFactor, state, lastDay, providerId, since }
}

/** Returns the members and the open invitations of a practice. */
export async function findTeam(db: CommonQueryMethods, practiceId: string, now: Date): Promise<Team> {
  const members = await findMembers(db, practiceId)
  const providers = await findPracticeProviders(db, practiceId)
  const invitations = await findInvitations(db, practiceId, now)
  return { members: members.map((row) => toTeamMember(row, providers, now)), invitations }
}
