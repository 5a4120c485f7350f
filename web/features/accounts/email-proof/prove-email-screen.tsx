import { makeStyles, Text } from '@fluentui/react-components'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { proveEmail } from '#contracts/account-security.ts'
import { call } from '#web/api/call.ts'
import { refreshCurrentUser, useCurrentUser } from '#web/entities/accounts/current-user.ts'
import { LinkButton } from '#web/ui/link-button.tsx'
import { NarrowPage } from '#web/ui/narrow-page.tsx'
import { ConfirmByLink, isLinkInvalid } from '../email/confirm-by-link.tsx'

const route = getRouteApi('/confirm-email/$token')
const useStyles = makeStyles({
  actions: { display: 'flex', flexWrap: 'wrap', columnGap: '12px', rowGap: '12px' },
  breakable: { overflowWrap: 'anywhere' },
})

/**
 * `/confirm-email/{token}`: confirms the address of a registration with the link from the message, also without signing in. It
 * takes a button, because programs that look at messages open their links.
 */
export function ProveEmailScreen() {
  const styles = useStyles()
  const { token } = route.useParams()
  const user = useCurrentUser()
  const queries = useQueryClient()
  const prove = useMutation({
    mutationFn: () => call(proveEmail, { body: { token } }),
    onSuccess: () => refreshCurrentUser(queries),
  })
  const next = (
    <div className={styles.actions}>
      <LinkButton to={user ? '/' : '/auth'} appearance="primary">
        {user ? 'Continue' : 'Sign in'}
      </LinkButton>
    </div>
  )
  if (prove.isSuccess)
    return (
      <NarrowPage title="Your email is confirmed" intro="Thank you. Nothing is limited any more.">
        <Text className={styles.breakable}>{prove.data.email}</Text>
        {next}
      </NarrowPage>
    )
  if (isLinkInvalid(prove.error))
    return (
      <NarrowPage
        title="This link no longer works"
        intro="It is too old, a newer one was sent, the email of the account has changed, or part of the link is missing. Sign in to have another one sent: a notice above every page offers it while it is needed."
      >
        {next}
      </NarrowPage>
    )
  return (
    <NarrowPage title="Confirm your email" intro="This shows that the email of your account belongs to you.">
      <ConfirmByLink action="Confirm this email" confirm={prove} />
    </NarrowPage>
  )
}
