import { makeStyles, Text } from '@fluentui/react-components'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useLocation } from '@tanstack/react-router'
import { confirmEmailChange } from '#contracts/account-security.ts'
import { call } from '#web/api/call.ts'
import { refreshCurrentUser, useCurrentUser } from '#web/entities/accounts/current-user.ts'
import { LinkButton } from '#web/ui/link-button.tsx'
import { NarrowPage } from '#web/ui/narrow-page.tsx'
import { ConfirmByLink, isLinkInvalid } from './confirm-by-link.tsx'

const route = getRouteApi('/email/$token')
const useStyles = makeStyles({
  actions: { display: 'flex', flexWrap: 'wrap', columnGap: '12px', rowGap: '12px' },
  breakable: { overflowWrap: 'anywhere' },
})

/** `/email/{token}`: confirms a new address with the link from the message, once more by a button. */
export function EmailScreen() {
  const styles = useStyles()
  const { token } = route.useParams()
  const { href } = useLocation()
  const user = useCurrentUser()
  const queries = useQueryClient()
  const confirm = useMutation({
    mutationFn: () => call(confirmEmailChange, { body: { token } }),
    onSuccess: () => refreshCurrentUser(queries),
  })
  if (confirm.isSuccess)
    return (
      <NarrowPage title="Your email was changed" intro="Sign in with the new one from now on.">
        <Text className={styles.breakable}>{user?.email}</Text>
        <div className={styles.actions}>
          <LinkButton to="/" appearance="primary">
            Continue
          </LinkButton>
        </div>
      </NarrowPage>
    )
  if (!user)
    return (
      <NarrowPage
        title="Confirm your new email"
        intro="Please sign in first, with your current email. Without signing in, a mistyped address would give your account to someone else."
      >
        <div className={styles.actions}>
          <LinkButton to="/auth" search={{ redirect: href }} appearance="primary">
            Sign in
          </LinkButton>
        </div>
      </NarrowPage>
    )
  if (user.mustSetUpTwoFactor)
    return (
      <NarrowPage
        title="Confirm your new email"
        intro="Your practice requires two-factor authentication. Please set it up first; then you return to this page."
      >
        <div className={styles.actions}>
          <LinkButton to="/two-factor" search={{ redirect: href }} appearance="primary">
            Set up two-factor authentication
          </LinkButton>
        </div>
      </NarrowPage>
    )
  if (isLinkInvalid(confirm.error))
    return (
      <NarrowPage
        title="This link no longer works"
        intro="It was used already, it is too old, a newer one was sent, or part of it is missing. You can ask for another one in the settings."
      >
        <div className={styles.actions}>
          <LinkButton to="/practice" search={{ tab: 'security' }} appearance="primary">
            Open the settings
          </LinkButton>
        </div>
      </NarrowPage>
    )
  return (
    <NarrowPage
      title="Confirm your new email"
      intro="From then on you sign in with the address that received the message."
    >
      <Text className={styles.breakable}>Your email until now, {user.email}, no longer works then.</Text>
      <ConfirmByLink action="Confirm the new email" confirm={confirm} />
      <Text size={200}>The link in your message works once.</Text>
    </NarrowPage>
  )
}
