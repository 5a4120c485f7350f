import { makeStyles, Text } from '@fluentui/react-components'
import { CalendarPersonRegular } from '@fluentui/react-icons/svg/calendar-person'
import { CrownRegular } from '@fluentui/react-icons/svg/crown'
import { PersonAvailableRegular } from '@fluentui/react-icons/svg/person-available'
import { PersonEditRegular } from '@fluentui/react-icons/svg/person-edit'
import { PersonKeyRegular } from '@fluentui/react-icons/svg/person-key'
import { PersonProhibitedRegular } from '@fluentui/react-icons/svg/person-prohibited'
import { useQuery } from '@tanstack/react-query'
import type { CurrentUser } from '#contracts/accounts.ts'
import type { TeamMember } from '#contracts/team.ts'
import { providersQuery } from '#web/entities/providers/providers.ts'
import { type Column, DataTable } from '#web/ui/data-table.tsx'
import { useFormatDay } from '#web/entities/practices/practice-time.ts'
import { formatName } from '#web/ui/format.ts'
import { Person } from '#web/ui/person.tsx'
import type { MenuAction } from '#web/ui/menu-action.ts'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { TwoLineCell } from '#web/ui/text.tsx'
import { describeEnd, describeRole, roleLabels } from './labels.ts'

const useStyles = makeStyles({
  card: { display: 'grid', rowGap: '6px', minWidth: 0 },
  line: {
    paddingLeft: '48px',
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    columnGap: '12px',
    rowGap: '4px',
  },
})

/** The actions in the row menu of a member. */
export type MemberAction = 'role' | 'provider' | 'transfer' | 'two-factor' | 'suspend' | 'reinstate'

type MembersTableProps = {
  members: readonly TeamMember[]
  user: CurrentUser
  onAction: (action: MemberAction, member: TeamMember) => void
}

/** Members of the practice, the owner first. */
export function MembersTable({ members, user, onAction }: MembersTableProps) {
  const providers = useQuery(providersQuery).data ?? []
  const getProviderName = ({ providerId }: TeamMember) => providers.find(({ id }) => id === providerId)?.name ?? null
  return (
    <DataTable
      label="Members"
      columns={createColumns(user, getProviderName)}
      rows={members}
      getId={({ userId }) => userId}
      getName={formatName}
      renderCard={(member) => <MemberCard member={member} user={user} provider={getProviderName(member)} />}
      actions={(member) => listActions(member, user, onAction)}
    />
  )
}

const isSelf = (member: TeamMember, user: CurrentUser) => member.userId === user.id

const describeOwner = (member: TeamMember) => (member.isOwner ? 'Owner' : describeEnd(member))

function MemberName({ member, user }: { member: TeamMember; user: CurrentUser }) {
  const mark = isSelf(member, user) ? ' (you)' : ''
  return (
    <Person
      name={formatName(member)}
      detail={member.email}
      renderName={(label) => (
        <span>
          {label}
          {mark}
        </span>
      )}
    />
  )
}

const SinceCell = ({ since }: Pick<TeamMember, 'since'>) => <Text>{useFormatDay()(since)}</Text>

const createColumns = (
  user: CurrentUser,
  getProviderName: (member: TeamMember) => string | null,
): readonly Column<TeamMember>[] => [
  {
    id: 'name',
    header: 'Name',
    width: '32%',
    renderCell: (member) => <MemberName member={member} user={user} />,
  },
  {
    id: 'role',
    header: 'Role',
    width: '20%',
    tight: '18%',
    renderCell: (member) => <TwoLineCell top={roleLabels[member.role]} bottom={describeOwner(member)} />,
  },
  {
    id: 'state',
    header: 'Status',
    width: '132px',
    tight: '112px',
    renderCell: ({ state }) => <StatusBadge status={state} plain />,
  },
  {
    id: 'provider',
    header: 'Provider',
    width: '20%',
    tight: 'auto',
    renderCell: (member) => <Text>{getProviderName(member) ?? '-'}</Text>,
  },
  {
    id: 'since',
    header: 'Since',
    width: '124px',
    tight: 'hidden',
    renderCell: ({ since }) => <SinceCell since={since} />,
  },
]

/** Column heads of the members while they are loading. */
export const memberSkeletonColumns = [
  { header: 'Name', width: '32%' },
  { header: 'Role', width: '20%', tight: '18%' },
  { header: 'Status', width: '132px', tight: '112px' },
  { header: 'Provider', width: '20%', tight: 'auto' },
  { header: 'Since', width: '124px', tight: 'hidden' },
  { header: 'Actions', width: '84px' },
]

type MemberCardProps = { member: TeamMember; user: CurrentUser; provider: string | null }

/** A member on a narrow screen. */
function MemberCard({ member, user, provider }: MemberCardProps) {
  const styles = useStyles()
  return (
    <span className={styles.card}>
      <MemberName member={member} user={user} />
      <span className={styles.line}>
        <Text>{[describeRole(member), member.isOwner ? 'owner' : null].filter(Boolean).join(', ')}</Text>
        <StatusBadge status={member.state} plain />
        {provider && <Text>Provider: {provider}</Text>}
      </span>
    </span>
  )
}

/** Returns the actions that the server would accept from the user. */
function listActions(
  member: TeamMember,
  user: CurrentUser,
  onAction: (action: MemberAction, member: TeamMember) => void,
): MenuAction[] {
  const action = (label: string, icon: MenuAction['icon'], kind: MemberAction): MenuAction => ({
    label,
    icon,
    onClick: () => onAction(kind, member),
  })
  const isProtected = member.isOwner || isSelf(member, user)
  const canOwn = user.isOwner && !member.isOwner && member.state === 'active' && member.role !== 'reviewer'
  return [
    ...(member.isOwner && !user.isOwner ? [] : [action('Change role', PersonEditRegular, 'role')]),
    ...(member.role === 'reviewer' ? [] : [action('Link to a provider', CalendarPersonRegular, 'provider')]),
    ...(member.hasTwoFactor && !isProtected ? [action('Reset two-factor', PersonKeyRegular, 'two-factor')] : []),
    ...(canOwn ? [action('Transfer ownership', CrownRegular, 'transfer')] : []),
    ...(isProtected
      ? []
      : member.state === 'suspended'
        ? [action('Reinstate', PersonAvailableRegular, 'reinstate')]
        : [{ ...action('Suspend', PersonProhibitedRegular, 'suspend'), danger: true }]),
  ]
}
