import { Button, makeStyles, Text, tokens } from '@fluentui/react-components'
import { MailUnreadRegular } from '@fluentui/react-icons/svg/mail-unread'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { requestEmailProof } from '#contracts/account-security.ts'
import { ApiProblem, call, errorMessage } from '#web/api/call.ts'
import { refreshCurrentUser } from '#web/entities/accounts/current-user.ts'

const small = '@media (max-width: 767px)'

const useStyles = makeStyles({
  banner: {
    display: 'grid',
    gridTemplateColumns: '20px minmax(0, 1fr) auto',
    alignItems: 'center',
    columnGap: '12px',
    padding: '8px 24px',
    color: tokens.colorNeutralForeground1,
    backgroundColor: tokens.colorNeutralBackground3,
    borderBottom: `1px solid ${tokens.colorNeutralStroke2}`,
    [small]: { padding: '10px 12px', gridTemplateColumns: '20px minmax(0, 1fr)', rowGap: '8px' },
    '@media print': { display: 'none' },
  },
  icon: { fontSize: '20px' },
  text: { overflowWrap: 'anywhere' },
  action: { [small]: { gridColumn: '2', justifySelf: 'start' } },
})

/** Banner above every screen until the user confirms the address of the registration. */
export function EmailProofBanner({ email }: { email: string }) {
  const styles = useStyles()
  const queries = useQueryClient()
  const request = useMutation({
    mutationFn: () => call(requestEmailProof, {}),
    // The address may have been confirmed in another window.
    onError: () => refreshCurrentUser(queries),
  })
  const { error } = request
  return (
    <aside className={styles.banner} aria-label="Account confirmation">
      <MailUnreadRegular className={styles.icon} aria-hidden />
      <Text className={styles.text}>
        <Text weight="semibold">Confirm your email.</Text>{' '}
        <span role="status">
          {request.isSuccess ? `We sent another link to ${email}.` : `We sent a link to ${email}.`}
        </span>{' '}
        Until you open it, your practice can save only a little, and you cannot invite others.{' '}
        {error && <span role="alert">{error instanceof ApiProblem ? error.detail : errorMessage(error)}</span>}
      </Text>
      <Button
        className={styles.action}
        size="small"
        disabledFocusable={request.isPending}
        onClick={() => {
          if (!request.isPending) request.mutate()
        }}
      >
        {request.isPending ? 'Sending...' : 'Send again'}
      </Button>
    </aside>
  )
}
