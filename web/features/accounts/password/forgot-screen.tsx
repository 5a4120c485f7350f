import { Button, makeStyles, Text } from '@fluentui/react-components'
import { ErrorCircleRegular } from '@fluentui/react-icons/svg/error-circle'
import { MailRegular } from '@fluentui/react-icons/svg/mail'
import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import { forgotPassword, resetMinutes } from '#contracts/account-security.ts'
import { ApiProblem, call, errorMessage } from '#web/api/call.ts'
import { showFieldErrors } from '#web/forms/form-errors.ts'
import { TextField } from '#web/forms/text-field.tsx'
import { useSubmitOnce } from '#web/forms/use-submit-once.ts'
import { useLinkStyles } from '#web/ui/link-styles.ts'
import { NarrowPage } from '#web/ui/narrow-page.tsx'
import { Notice } from '#web/ui/notice.tsx'

const route = getRouteApi('/forgot')
const useStyles = makeStyles({ form: { display: 'grid', rowGap: '16px' } })

/** `/forgot`: requests a link to choose a new password. Says the same for addresses without an account. */
export function ForgotScreen() {
  const styles = useStyles()
  const { link } = useLinkStyles()
  const { email } = route.useSearch()
  const request = useMutation({ mutationFn: (body: { email: string }) => call(forgotPassword, { body }) })
  const { control, handleSubmit, formState, setError } = useForm({
    resolver: zodResolver(forgotPassword.body),
    defaultValues: { email: email ?? '' },
  })
  const send = handleSubmit(async (body) => {
    try {
      await request.mutateAsync(body)
    } catch (error) {
      if (!showFieldErrors(setError)(error))
        setError('root', { message: error instanceof ApiProblem ? error.detail : errorMessage(error) })
    }
  })
  const submit = useSubmitOnce(send)
  const { root } = formState.errors
  return (
    <NarrowPage title="Forgot your password?" intro="Enter the email of your account. We send a link to it.">
      <form className={styles.form} onSubmit={submit} noValidate>
        {root?.message && <Notice tone="error" icon={ErrorCircleRegular} title={root.message} role="alert" />}
        {request.data && !root && <Sent delivery={request.data.delivery} email={request.variables?.email ?? ''} />}
        <TextField
          control={control}
          name="email"
          label="Email"
          type="email"
          autoComplete="username"
          aria-required
          autoFocus
        />
        <Button appearance="primary" size="large" type="submit" disabledFocusable={formState.isSubmitting}>
          {formState.isSubmitting ? 'Sending...' : request.data ? 'Send another link' : 'Send the link'}
        </Button>
      </form>
      <Text>
        <Link to="/auth" className={link}>
          Back to sign in
        </Link>
      </Text>
    </NarrowPage>
  )
}

/** Says where the message is. Mail may be missing on an installation that is being tried out. */
function Sent({ delivery, email }: { delivery: 'mail' | 'outbox'; email: string }) {
  if (delivery === 'outbox')
    return (
      <Notice tone="warning" icon={MailRegular} title="Mail is not configured here" role="status">
        <Text>If {email} has an account, the message is in the outbox. Ask the person who runs this installation.</Text>
      </Notice>
    )
  return (
    <Notice tone="success" icon={MailRegular} title="Please look into your mailbox" role="status">
      <Text>
        If {email} has an account, a link is on its way. It works for {resetMinutes} minutes. No message? Look into the
        spam folder, or check the address.
      </Text>
    </Notice>
  )
}
