import type { TeamInvitation, TeamMember } from '#contracts/team.ts'
import type { Role } from '#contracts/values/roles.ts'
import { formatDate } from '#web/ui/dates.ts'
import { formatCount } from '#web/ui/format.ts'

/** Roles in the order in which they are offered. */
export const roleLabels: Record<Role, string> = {
  doctor: 'Doctor',
  nurse: 'Nurse',
  staff: 'Staff',
  administrator: 'Administrator',
  reviewer: 'Reviewer',
}

/** The permissions of each role in one sentence. */
export const roleHints: Record<Role, string> = {
  doctor: 'Works with patients and their medical history, prescribing, appointments and AI insights.',
  nurse: 'Works with patients and their medical history, and with appointments.',
  staff: 'Works with appointments, billing, insurance and basic patient data, without medical history.',
  administrator: 'May do everything, including the team, the settings and the audit trail.',
  reviewer: 'Reads the audit trail and the records it rests on until a last day, and changes nothing.',
}

/** Describes how long a reviewer has access: "until Mar 31, 2027". */
export const describeEnd = ({ lastDay }: Pick<TeamMember, 'lastDay'>): string | null =>
  lastDay === null ? null : `until ${formatDate(lastDay)}`

type RoleOnList = Pick<TeamMember, 'role' | 'lastDay'> & Partial<Pick<TeamInvitation, 'isProvider'>>

/** Describes a role as it is listed: "Nurse, provider", "Reviewer until Mar 31, 2027". */
export const describeRole = ({ role, lastDay, isProvider = false }: RoleOnList): string =>
  [roleLabels[role], lastDay ? ` until ${formatDate(lastDay)}` : '', isProvider ? ', provider' : ''].join('')

/** Describes the size of a team: "3 members, 1 open invitation". */
export function describeTeam({
  members,
  invitations,
}: {
  members: readonly unknown[]
  invitations: readonly unknown[]
}) {
  const open = invitations.length === 0 ? [] : [formatCount(invitations.length, 'open invitation')]
  return [formatCount(members.length, 'member'), ...open].join(', ')
}
