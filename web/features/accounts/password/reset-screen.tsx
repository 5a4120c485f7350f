import { Button, makeStyles, Text } from '@fluentui/react-components'
import { ErrorCircleRegular } from '@fluentui/react-icons/svg/error-circle'
import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import { ResetForm, resetPassword } from '#contracts/account-security.ts'
import { ApiProblem, call, errorMessage } from '#web/api/call.ts'
import { currentUserQuery } from '#web/entities/accounts/current-user.ts'
import { showFieldErrors } from '#web/forms/form-errors.ts'
import { TextField } from '#web/forms/text-field.tsx'
import { useSubmitOnce } from '#web/forms/use-submit-once.ts'
import { LinkButton } from '#web/ui/link-button.tsx'
import { NarrowPage } from '#web/ui/narrow-page.tsx'
import { Notice } from '#web/ui/notice.tsx'

const route = getRouteApi('/reset/$token')
const useStyles = makeStyles({
  form: { display: 'grid', rowGap: '16px' },
  actions: { display: 'flex', flexWrap: 'wrap', columnGap: '12px', rowGap: '12px' },
})

const isLinkInvalid = (error: unknown) => error instanceof ApiProblem && (error.status === 410 || error.status === 404)

/** `/reset/{token}`: chooses a new password with the link from the message, and leads to sign-in. */
export function ResetScreen() {
  const styles = useStyles()
  const { token } = route.useParams()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const reset = useMutation({ mutationFn: (password: string) => call(resetPassword, { body: { token, password } }) })
  const { control, handleSubmit, formState, setError } = useForm({
    resolver: zodResolver(ResetForm),
    defaultValues: { password: '', confirmPassword: '' },
  })
  const send = handleSubmit(async ({ password }) => {
    try {
      await reset.mutateAsync(password)
      // A session of this browser ended with the others, or belongs to someone else.
      await queries.resetQueries({ queryKey: currentUserQuery.queryKey })
      // The link stays in no history.
      await navigate({ to: '/auth', search: { reason: 'password-changed' }, replace: true })
    } catch (error) {
      if (!isLinkInvalid(error) && !showFieldErrors(setError)(error))
        setError('root', { message: error instanceof ApiProblem ? error.detail : errorMessage(error) })
    }
  })
  const submit = useSubmitOnce(send)
  if (isLinkInvalid(reset.error))
    return (
      <NarrowPage
        title="This link no longer works"
        intro="It was used already, it is too old, or part of it is missing. If you chose a new password with it, sign in with that one."
      >
        <div className={styles.actions}>
          <LinkButton to="/forgot" appearance="primary">
            Request a new link
          </LinkButton>
          <LinkButton to="/auth">Sign in</LinkButton>
        </div>
      </NarrowPage>
    )
  const { root } = formState.errors
  return (
    <NarrowPage
      title="Choose a new password"
      intro="Afterwards you sign in with it. Everyone who uses your account now is signed out."
    >
      <form className={styles.form} onSubmit={submit} noValidate>
        {root?.message && <Notice tone="error" icon={ErrorCircleRegular} title={root.message} role="alert" />}
        <TextField
          control={control}
          name="password"
          label="New password"
          type="password"
          hint="At least 8 characters"
          autoComplete="new-password"
          aria-required
          autoFocus
        />
        <TextField
          control={control}
          name="confirmPassword"
          label="Confirm password"
          type="password"
          autoComplete="new-password"
          aria-required
        />
        <Button appearance="primary" size="large" type="submit" disabledFocusable={formState.isSubmitting}>
          {formState.isSubmitting ? 'Saving...' : 'Save the new password'}
        </Button>
        <Text size={200}>The link in your message works once.</Text>
      </form>
    </NarrowPage>
  )
}
