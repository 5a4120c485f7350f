import { Button, Text } from '@fluentui/react-components'
import { PersonAccountsRegular } from '@fluentui/react-icons/svg/person-accounts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { CurrentUser } from '#contracts/accounts.ts'
import type { OpenedInvitation } from '#contracts/team.ts'
import { ApiProblem, errorMessage } from '#web/api/call.ts'
import { currentUserQuery } from '#web/entities/accounts/current-user.ts'
import { endSession, forgetUser } from '#web/entities/accounts/end-session.ts'
import { signOutKey } from '#web/api/session-channel.ts'
import { formatDate } from '#web/ui/dates.ts'
import { formatName } from '#web/ui/format.ts'
import { LinkButton } from '#web/ui/link-button.tsx'
import { LoadingScreen } from '#web/ui/loading-screen.tsx'
import { NarrowPage } from '#web/ui/narrow-page.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { PublicMessage } from '#web/ui/public-message.tsx'
import { useNotify } from '#web/ui/toasts.tsx'
import { invitationQuery, useAcceptInvitation } from '../api.ts'
import { roleHints, roleLabels } from '../labels.ts'
import { AcceptForm } from './accept-form.tsx'

const route = getRouteApi('/invitations/$token')

/** `/invitations/$token`: shows an invitation to the person who holds its link, and accepts it. */
export function InvitationScreen() {
  const { token } = route.useParams()
  const { data, error, isFetching, refetch } = useQuery(invitationQuery(token))
  const user = useQuery(currentUserQuery)
  if (data && !user.isPending) return <Invitation invitation={data} token={token} user={user.data ?? null} />
  if (!error || isFetching) return <LoadingScreen />
  return <UnusableLink error={error} onRetry={() => void refetch()} />
}

const goneTitles: Readonly<Record<string, string>> = {
  'invitation-expired': 'This invitation has expired',
  'invitation-revoked': 'This invitation was withdrawn',
  'invitation-replaced': 'There is a newer invitation',
  'invitation-used': 'This invitation was accepted already',
  'not-found': 'This link is not valid',
}

function UnusableLink({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const code = error instanceof ApiProblem ? error.code : ''
  const title = goneTitles[code]
  if (!title)
    return (
      <PublicMessage title="The invitation could not be loaded" hint={errorMessage(error)}>
        <Button appearance="primary" onClick={onRetry}>
          Try again
        </Button>
      </PublicMessage>
    )
  const hint = code === 'not-found' ? 'Check that you opened the whole link from the message.' : errorMessage(error)
  return (
    <PublicMessage title={title} hint={hint}>
      <LinkButton to="/auth" appearance={code === 'invitation-used' ? 'primary' : 'secondary'}>
        Sign in
      </LinkButton>
    </PublicMessage>
  )
}

type InvitationProps = { invitation: OpenedInvitation; token: string; user: CurrentUser | null }

function Invitation({ invitation, token, user }: InvitationProps) {
  const { practiceName, email, role, lastDay, account } = invitation
  const period = lastDay === null ? '' : `, until ${formatDate(lastDay)}`
  const isOwnAccount = user !== null && user.email.toLowerCase() === email.toLowerCase()
  return (
    <NarrowPage
      title={`Join ${practiceName}`}
      intro={[
        `${practiceName} invites ${email} to work with them in Everchart. Your role: ${roleLabels[role]}${period}.`,
        roleHints[role],
      ]}
    >
      {account === 'in-practice' ? (
        <OtherPractice user={user} />
      ) : account === 'none' ? (
        <>
          {user && (
            <Notice tone="neutral" icon={PersonAccountsRegular} title={`You are signed in as ${formatName(user)}`}>
              <Text>Accepting signs you in as the new person.</Text>
            </Notice>
          )}
          <AcceptForm token={token} email={email} />
        </>
      ) : isOwnAccount ? (
        <JoinButton token={token} practiceName={practiceName} />
      ) : (
        <SignInFirst token={token} user={user} />
      )}
    </NarrowPage>
  )
}

function OtherPractice({ user }: { user: CurrentUser | null }) {
  return (
    <Notice
      tone="warning"
      icon={PersonAccountsRegular}
      title="This address belongs to another practice"
      actions={
        <LinkButton to={user ? '/' : '/auth'} size="small">
          {user ? 'Go to your practice' : 'Sign in there'}
        </LinkButton>
      }
    >
      <Text>
        One account belongs to one practice. Ask for an invitation to another email address, and you can work in both.
      </Text>
    </Notice>
  )
}

/** Leads the user of an account without a practice to the sign-in and back. */
function SignInFirst({ token, user }: { token: string; user: CurrentUser | null }) {
  const search = { redirect: `/invitations/${token}` }
  return (
    <AccountNotice title="You have an account already">
      {user ? <SwitchAccount search={search} user={user} /> : <SignInLink search={search} />}
    </AccountNotice>
  )
}

function AccountNotice({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Notice tone="neutral" icon={PersonAccountsRegular} title={title} actions={children}>
      <Text>Sign in to it with this email address, and you can join the practice.</Text>
    </Notice>
  )
}

type AuthSearch = { redirect: string }

function SignInLink({ search }: { search: AuthSearch }) {
  return (
    <LinkButton to="/auth" search={search} appearance="primary">
      Sign in
    </LinkButton>
  )
}

function SwitchAccount({ search, user }: { search: AuthSearch; user: CurrentUser }) {
  const queries = useQueryClient()
  const router = useRouter()
  const notify = useNotify()
  const signOut = useMutation({
    mutationKey: signOutKey,
    mutationFn: () => endSession(),
    onSuccess: () => forgetUser(queries, () => router.navigate({ to: '/auth', search })),
    onError: (error) => notify({ title: 'Logout failed', body: errorMessage(error), intent: 'error' }),
  })
  return (
    <Button appearance="primary" disabledFocusable={signOut.isPending} onClick={() => signOut.mutate()}>
      {signOut.isPending ? 'Signing Out...' : `Sign out ${formatName(user)}`}
    </Button>
  )
}

/** Button with which the signed-in user of the address joins. */
function JoinButton({ token, practiceName }: { token: string; practiceName: string }) {
  const router = useRouter()
  const notify = useNotify()
  const accept = useAcceptInvitation(token)
  const join = async () => {
    try {
      await accept.mutateAsync({})
      router.history.push('/')
    } catch (error) {
      notify({ title: 'Failed to join', body: errorMessage(error), intent: 'error' })
    }
  }
  return (
    <Button appearance="primary" size="large" disabledFocusable={accept.isPending} onClick={() => void join()}>
      {accept.isPending ? 'Joining...' : `Join ${practiceName}`}
    </Button>
  )
}
