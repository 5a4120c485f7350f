import { makeStyles, Text, tokens } from '@fluentui/react-components'
import { BuildingPeopleRegular } from '@fluentui/react-icons/svg/building-people'
import { MailRegular } from '@fluentui/react-icons/svg/mail'
import { PersonAddRegular } from '@fluentui/react-icons/svg/person-add'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { CurrentUser } from '#contracts/accounts.ts'
import type { TeamInvitation, TeamMember } from '#contracts/team.ts'
import { errorMessage } from '#web/api/call.ts'
import { useCurrentUser } from '#web/entities/accounts/current-user.ts'
import { parsePlanRefusal, PlanNotice } from '#web/entities/billing/plan-notice.tsx'
import { describeSeats } from '#web/entities/providers/describe-seats.ts'
import { providerSeatsQuery } from '#web/entities/providers/providers.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { formatName } from '#web/ui/format.ts'
import { HeaderAction } from '#web/ui/header-action.tsx'
import { NotAllowed } from '#web/ui/not-allowed.tsx'
import { Page } from '#web/ui/page.tsx'
import { useShortcut } from '#web/ui/shortcuts.ts'
import { TableSkeleton } from '#web/ui/table-skeleton.tsx'
import { useTableStyles } from '#web/ui/table-styles.ts'
import { useNotify } from '#web/ui/toasts.tsx'
import { teamQuery, useChangeMember, useResendInvitation, useRevokeInvitation } from './api.ts'
import { InvitationsTable } from './invitations-table.tsx'
import { type InvitationLink, InviteDialog, LinkDialog } from './invite-dialog.tsx'
import { describeTeam } from './labels.ts'
import {
  ChangeRoleDialog,
  LinkProviderDialog,
  ResetTwoFactorDialog,
  SuspendDialog,
  TransferDialog,
} from './member-dialogs.tsx'
import { type MemberAction, memberSkeletonColumns, MembersTable } from './members-table.tsx'

const useStyles = makeStyles({
  section: { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', rowGap: '12px' },
  notice: { marginBottom: '12px' },
  heading: {
    margin: '12px 0 0',
    fontSize: tokens.fontSizeBase500,
    lineHeight: tokens.lineHeightBase500,
    fontWeight: tokens.fontWeightSemibold,
  },
})

/** `/team`: members and invitations, for the owner and administrators. */
export function TeamScreen() {
  const user = useCurrentUser()
  const navigate = useNavigate()
  if (user?.practiceId && user.permissions.includes('users')) return <Team user={user} />
  const isMember = Boolean(user?.practiceId)
  return (
    <Page title="Team">
      {isMember ? (
        <NotAllowed
          title="The team is for the owner and administrators"
          hint="Ask one of them to invite someone or to change a role."
        />
      ) : (
        <EmptyState
          icon={BuildingPeopleRegular}
          title="Set up your practice first"
          hint="The team belongs to a practice. It takes two minutes."
          action="Set up your practice"
          onAction={() => void navigate({ to: '/onboarding' })}
        />
      )}
    </Page>
  )
}

type TeamDialog =
  | { dialog: 'invite' }
  | { dialog: 'link'; sent: InvitationLink }
  | { dialog: 'revoke'; invitation: TeamInvitation }
  | { dialog: Exclude<MemberAction, 'reinstate'>; member: TeamMember }
  | null

function Team({ user }: { user: CurrentUser }) {
  const styles = useStyles()
  const notify = useNotify()
  const query = useQuery(teamQuery)
  const { data: seats } = useQuery(providerSeatsQuery)
  const change = useChangeMember()
  const resend = useResendInvitation()
  const resendRefusal = parsePlanRefusal(resend.error)
  const [dialog, setDialog] = useState<TeamDialog>(null)
  const close = () => setDialog(null)
  const invite = () => setDialog({ dialog: 'invite' })
  useShortcut('n', 'Invite to the team', invite)

  const reinstate = async (member: TeamMember) => {
    try {
      await change.mutateAsync({ userId: member.userId, body: { suspended: false } })
      notify({ title: 'Member reinstated', body: formatName(member) })
    } catch (error) {
      notify({ title: 'Failed to reinstate', body: errorMessage(error), intent: 'error' })
    }
  }
  const sendAgain = async ({ id, email }: TeamInvitation) => {
    try {
      const { link } = await resend.mutateAsync(id)
      if (link !== null) setDialog({ dialog: 'link', sent: { email, link } })
      else notify({ title: 'Invitation sent again', body: email })
    } catch (error) {
      if (parsePlanRefusal(error)) return
      notify({ title: 'Failed to send again', body: errorMessage(error), intent: 'error' })
    }
  }
  const onAction = (action: MemberAction, member: TeamMember) =>
    action === 'reinstate' ? void reinstate(member) : setDialog({ dialog: action, member })

  return (
    <Page
      title="Team"
      subtitle={query.data && [describeTeam(query.data), seats ? describeSeats(seats) : []].flat().join(', ')}
      action={<HeaderAction label="Invite" icon={<PersonAddRegular />} onClick={invite} />}
    >
      {resendRefusal && <PlanNotice refusal={resendRefusal} className={styles.notice} />}
      <TeamLists
        query={query}
        user={user}
        onAction={onAction}
        onInvite={invite}
        onResend={(invitation) => void sendAgain(invitation)}
        onRevoke={(invitation) => setDialog({ dialog: 'revoke', invitation })}
      />
      {dialog?.dialog === 'invite' && <InviteDialog onClose={close} />}
      {dialog?.dialog === 'link' && <LinkDialog {...dialog.sent} onClose={close} />}
      {dialog?.dialog === 'revoke' && <RevokeDialog invitation={dialog.invitation} onClose={close} />}
      {dialog?.dialog === 'role' && <ChangeRoleDialog member={dialog.member} onClose={close} />}
      {dialog?.dialog === 'provider' && <LinkProviderDialog member={dialog.member} onClose={close} />}
      {dialog?.dialog === 'two-factor' && <ResetTwoFactorDialog member={dialog.member} onClose={close} />}
      {dialog?.dialog === 'suspend' && <SuspendDialog member={dialog.member} onClose={close} />}
      {dialog?.dialog === 'transfer' && <TransferDialog member={dialog.member} onClose={close} />}
    </Page>
  )
}

type TeamListsProps = {
  query: {
    data: { members: readonly TeamMember[]; invitations: readonly TeamInvitation[] } | undefined
    error: unknown
    refetch: () => unknown
  }
  user: CurrentUser
  onAction: (action: MemberAction, member: TeamMember) => void
  onInvite: () => void
  onResend: (invitation: TeamInvitation) => void
  onRevoke: (invitation: TeamInvitation) => void
}

/** Both lists with their states loading, failed and empty. */
function TeamLists({ query, user, onAction, onInvite, onResend, onRevoke }: TeamListsProps) {
  const styles = useStyles()
  const { surface } = useTableStyles()
  const { data, error, refetch } = query
  if (!data)
    return (
      <div className={surface}>
        {error ? (
          <ErrorState title="The team could not be loaded" hint={errorMessage(error)} onRetry={() => void refetch()} />
        ) : (
          <TableSkeleton label="Loading the team" rows={3} columns={memberSkeletonColumns} />
        )}
      </div>
    )
  return (
    <div className={styles.section}>
      <MembersTable members={data.members} user={user} onAction={onAction} />
      <h2 className={styles.heading}>Invitations</h2>
      {data.invitations.length === 0 ? (
        <div className={surface}>
          <EmptyState
            icon={MailRegular}
            title="No open invitations"
            hint="People join your practice with a link that you send them."
            action="Invite someone"
            onAction={onInvite}
          />
        </div>
      ) : (
        <InvitationsTable invitations={data.invitations} onResend={onResend} onRevoke={onRevoke} />
      )}
    </div>
  )
}

function RevokeDialog({ invitation, onClose }: { invitation: TeamInvitation; onClose: () => void }) {
  const notify = useNotify()
  const revoke = useRevokeInvitation()
  const confirm = async () => {
    try {
      await revoke.mutateAsync(invitation.id)
      notify({ title: 'Invitation revoked', body: invitation.email })
      onClose()
    } catch {
      // The dialog stays open and shows the error.
    }
  }
  return (
    <ConfirmDialog
      open
      title={`Revoke the invitation for ${invitation.email}?`}
      action="Revoke"
      pendingAction="Revoking..."
      pending={revoke.isPending}
      failure={revoke.error ? errorMessage(revoke.error) : null}
      danger
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      <Text>The link stops working. You can invite this person again at any time.</Text>
    </ConfirmDialog>
  )
}
