import { Button, makeStyles } from '@fluentui/react-components'
import { ErrorCircleRegular } from '@fluentui/react-icons/svg/error-circle'
import { zodResolver } from '@hookform/resolvers/zod'
import { useRouter } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import { acceptInvitation } from '#contracts/team.ts'
import { ApiProblem, errorMessage } from '#web/api/call.ts'
import { showFieldErrors } from '#web/forms/form-errors.ts'
import { NameFields, UsernameField } from '#web/forms/account-fields.tsx'
import { TextField } from '#web/forms/text-field.tsx'
import { useSubmitOnce } from '#web/forms/use-submit-once.ts'
import { Notice } from '#web/ui/notice.tsx'
import { useNotify } from '#web/ui/toasts.tsx'
import { useAcceptInvitation } from '../api.ts'

const useStyles = makeStyles({
  form: { display: 'grid', rowGap: '16px' },
  hidden: { display: 'none' },
})

const NewAccount = acceptInvitation.body.required()

/** Creates the account of a person who accepts an invitation. */
export function AcceptForm({ token, email }: { token: string; email: string }) {
  const styles = useStyles()
  const router = useRouter()
  const notify = useNotify()
  const accept = useAcceptInvitation(token)
  const { control, handleSubmit, formState, setError } = useForm({
    resolver: zodResolver(NewAccount),
    defaultValues: { firstName: '', lastName: '', username: '', password: '' },
  })
  const { errors, isSubmitting } = formState
  const send = handleSubmit(async (account) => {
    try {
      const user = await accept.mutateAsync(account)
      notify({ title: 'Welcome to the team', body: `You are signed in, ${user.firstName}.` })
      router.history.push('/')
    } catch (error) {
      notify({ title: 'Failed to accept', body: errorMessage(error), intent: 'error' })
      if (!showFieldErrors(setError)(error))
        setError('root', { message: error instanceof ApiProblem ? error.detail : errorMessage(error) })
    }
  })
  const submit = useSubmitOnce(send)
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      {errors.root?.message && (
        <Notice tone="error" icon={ErrorCircleRegular} title={errors.root.message} role="alert" />
      )}
      {/* Password managers store the password with the address, with which the person signs in. */}
      <input className={styles.hidden} type="email" autoComplete="email" value={email} readOnly />
      <NameFields control={control} />
      <UsernameField control={control} />
      <TextField
        control={control}
        name="password"
        label="Password"
        type="password"
        hint="At least 8 characters. You sign in with your email and this password."
        autoComplete="new-password"
        aria-required
      />
      <Button appearance="primary" size="large" type="submit" disabledFocusable={isSubmitting}>
        {isSubmitting ? 'Joining...' : 'Accept invitation'}
      </Button>
    </form>
  )
}
