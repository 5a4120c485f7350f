import { makeStyles, Text } from '@fluentui/react-components'
import { MailArrowForwardRegular } from '@fluentui/react-icons/svg/mail-arrow-forward'
import { MailDismissRegular } from '@fluentui/react-icons/svg/mail-dismiss'
import type { TeamInvitation } from '#contracts/team.ts'
import { type Column, DataTable } from '#web/ui/data-table.tsx'
import { type PracticeTimes, usePracticeTimes } from '#web/entities/practices/practice-time.ts'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { TwoLineCell } from '#web/ui/text.tsx'
import { describeRole } from './labels.ts'

const useStyles = makeStyles({
  card: { display: 'grid', rowGap: '6px', minWidth: 0 },
  line: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: '12px', rowGap: '4px' },
})

const describeSending = ({ sentAt, sentBy }: TeamInvitation, { formatInstant }: PracticeTimes) =>
  `Sent ${formatInstant(sentAt)}${sentBy === null ? '' : ` by ${sentBy}`}`

const describeExpiry = ({ state, expiresAt }: TeamInvitation, { formatDay }: PracticeTimes) =>
  `${state === 'expired' ? 'Expired' : 'Expires'} ${formatDay(expiresAt)}`

const EmailCell = ({ invitation }: { invitation: TeamInvitation }) => (
  <TwoLineCell top={invitation.email} bottom={describeSending(invitation, usePracticeTimes())} strong />
)

const ExpiryCell = ({ invitation }: { invitation: TeamInvitation }) => (
  <Text>{describeExpiry(invitation, usePracticeTimes())}</Text>
)

const columns: readonly Column<TeamInvitation>[] = [
  {
    id: 'email',
    header: 'Email',
    width: '36%',
    renderCell: (invitation) => <EmailCell invitation={invitation} />,
  },
  {
    id: 'role',
    header: 'Role',
    width: '24%',
    tight: '18%',
    renderCell: (invitation) => <Text>{describeRole(invitation)}</Text>,
  },
  {
    id: 'state',
    header: 'Status',
    width: '132px',
    tight: '112px',
    renderCell: ({ state }) => <StatusBadge status={state} plain />,
  },
  {
    id: 'expires',
    header: 'Link',
    renderCell: (invitation) => <ExpiryCell invitation={invitation} />,
  },
]

type InvitationsTableProps = {
  invitations: readonly TeamInvitation[]
  onResend: (invitation: TeamInvitation) => void
  onRevoke: (invitation: TeamInvitation) => void
}

/** Invitations that were neither accepted nor revoked. */
export function InvitationsTable({ invitations, onResend, onRevoke }: InvitationsTableProps) {
  return (
    <DataTable
      label="Invitations"
      columns={columns}
      rows={invitations}
      getId={({ id }) => id}
      getName={({ email }) => email}
      renderCard={(invitation) => <InvitationCard invitation={invitation} />}
      actions={(invitation) => [
        { label: 'Send again', icon: MailArrowForwardRegular, onClick: () => onResend(invitation) },
        { label: 'Revoke', icon: MailDismissRegular, danger: true, onClick: () => onRevoke(invitation) },
      ]}
    />
  )
}

/** An invitation on a narrow screen. */
function InvitationCard({ invitation }: { invitation: TeamInvitation }) {
  const styles = useStyles()
  const times = usePracticeTimes()
  return (
    <span className={styles.card}>
      <TwoLineCell top={invitation.email} bottom={describeSending(invitation, times)} strong />
      <span className={styles.line}>
        <Text>{describeRole(invitation)}</Text>
        <StatusBadge status={invitation.state} plain />
        <Text>{describeExpiry(invitation, times)}</Text>
      </span>
    </span>
  )
}
