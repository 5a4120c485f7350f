import { Badge, Button, makeStyles } from '@fluentui/react-components'
import { DesktopRegular } from '@fluentui/react-icons/svg/desktop'
import { PhoneRegular } from '@fluentui/react-icons/svg/phone'
import { useQuery } from '@tanstack/react-query'
import type { AccountSession } from '#contracts/account-security.ts'
import { ApiProblem, errorMessage } from '#web/api/call.ts'
import { formatDateTime } from '#web/ui/dates.ts'
import { Panel } from '#web/ui/panel.tsx'
import { SecondaryText, TwoLineCell } from '#web/ui/text.tsx'
import { useNotify } from '#web/ui/toasts.tsx'
import { LoadedSection } from '../sections/section-state.tsx'
import { SettingsList, SettingsRow } from '../sections/settings-grid.tsx'
import { sessionsQuery, useEndSession } from './security-api.ts'

const useStyles = makeStyles({
  row: { padding: '8px 0' },
  place: { display: 'grid', gridTemplateColumns: '24px minmax(0, 1fr)', columnGap: '12px', alignItems: 'center' },
  icon: { fontSize: '20px' },
})

const isPhone = ({ device }: AccountSession) => /iOS|Android/.test(device)
const nameDevice = ({ device }: AccountSession) => device || 'Unknown browser'

function describeUse({ isCurrent, network, lastSeenAt }: AccountSession): string {
  const use = isCurrent ? 'in use now' : `last used ${formatDateTime(lastSeenAt)}`
  return network === '' ? use : `Network ${network}, ${use}`
}

/** Section with the places where the user is signed in, and the buttons that end it there. */
export function SessionsSection() {
  const query = useQuery(sessionsQuery)
  const end = useEndSession()
  const notify = useNotify()

  async function endAndNotify(sessionId: string | null, title: string): Promise<void> {
    try {
      await end.mutateAsync(sessionId)
      notify({ title, body: 'The screens there show the sign-in page now.' })
    } catch (error) {
      // It has ended already.
      if (error instanceof ApiProblem && error.status === 404) return
      notify({ title: 'Signing out there failed', body: errorMessage(error), intent: 'error' })
    }
  }

  const hasOthers = query.data?.some(({ isCurrent }) => !isCurrent) ?? false
  const endOthers = (
    <Button
      size="small"
      appearance="subtle"
      disabledFocusable={end.isPending}
      onClick={() => void endAndNotify(null, 'Signed out everywhere else')}
    >
      Sign out everywhere else
    </Button>
  )
  return (
    <Panel title="Sessions" action={hasOthers && endOthers}>
      <LoadedSection query={query} subject="Your sessions" loadingSubject="your sessions" rows={2}>
        {(sessions) => (
          <>
            <SettingsList label="Sessions">
              {sessions.map((session) => (
                <SessionRow
                  key={session.id}
                  session={session}
                  isPending={end.isPending}
                  onEnd={() => void endAndNotify(session.id, `Signed out: ${nameDevice(session)}`)}
                />
              ))}
            </SettingsList>
            {!hasOthers && <SecondaryText>You are signed in nowhere else.</SecondaryText>}
          </>
        )}
      </LoadedSection>
    </Panel>
  )
}

type SessionRowProps = { session: AccountSession; isPending: boolean; onEnd: () => void }

function SessionRow({ session, isPending, onEnd }: SessionRowProps) {
  const styles = useStyles()
  const Icon = isPhone(session) ? PhoneRegular : DesktopRegular
  const name = nameDevice(session)
  return (
    <SettingsRow className={styles.row}>
      <div className={styles.place}>
        <Icon className={styles.icon} aria-hidden />
        <TwoLineCell
          top={name}
          bottom={
            <>
              {describeUse(session)}
              <br />
              Signed in {formatDateTime(session.startedAt)}
            </>
          }
          wrap
          strong
        />
      </div>
      {session.isCurrent ? (
        <Badge appearance="outline" color="informative">
          This browser
        </Badge>
      ) : (
        <Button
          size="small"
          disabledFocusable={isPending}
          aria-label={`Sign out ${name}, ${describeUse(session)}`}
          onClick={onEnd}
        >
          Sign out
        </Button>
      )}
    </SettingsRow>
  )
}
