import { Button, makeStyles, Text } from '@fluentui/react-components'
import { ClockLockRegular } from '@fluentui/react-icons/svg/clock-lock'
import { LockClosedRegular } from '@fluentui/react-icons/svg/lock-closed'
import { zodResolver } from '@hookform/resolvers/zod'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import { Credentials } from '#contracts/accounts.ts'
import { ApiProblem, errorMessage } from '#web/api/call.ts'
import { Notice } from '#web/ui/notice.tsx'
import { useSubmitOnce } from '#web/forms/use-submit-once.ts'
import { TextField } from '#web/forms/text-field.tsx'
import { useNotify } from '#web/ui/toasts.tsx'
import { useLogin } from './api.ts'
import { toLocalPath } from './local-path.ts'

const route = getRouteApi('/auth')
const useStyles = makeStyles({ form: { display: 'grid', rowGap: '18px' } })

/** Sign-in form. Errors appear in the form and as a toast; the input is kept. */
export function LoginForm() {
  const styles = useStyles()
  const notify = useNotify()
  const router = useRouter()
  const { redirect, reason } = route.useSearch()
  const login = useLogin()
  const { control, handleSubmit, formState, setError, setFocus } = useForm({
    resolver: zodResolver(Credentials),
    defaultValues: { email: '', password: '' },
  })
  const { errors } = formState

  const send = handleSubmit(async (credentials) => {
    try {
      const user = await login.mutateAsync(credentials)
      notify({ title: 'Login successful', body: `Welcome back, ${user.firstName}!` })
      router.history.push(toLocalPath(redirect))
    } catch (error) {
      notify({ title: 'Login failed', body: errorMessage(error), intent: 'error' })
      setError('root', { message: error instanceof ApiProblem ? error.detail : errorMessage(error) })
      setFocus('password', { shouldSelect: true })
    }
  })
  const submit = useSubmitOnce(send)

  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      {reason === 'idle' && !errors.root && (
        <Notice tone="warning" icon={ClockLockRegular} title="You were signed out" role="status">
          <Text>Everchart was not used in this browser for a while. Sign in to go back to where you were.</Text>
        </Notice>
      )}
      {errors.root?.message && (
        <Notice tone="error" icon={LockClosedRegular} title={errors.root.message} role="alert" />
      )}
      <TextField
        control={control}
        name="email"
        label="Email"
        type="email"
        autoComplete="username"
        aria-required
        autoFocus
      />
      <TextField
        control={control}
        name="password"
        label="Password"
        type="password"
        autoComplete="current-password"
        aria-required
      />
      <Button appearance="primary" size="large" type="submit" disabledFocusable={formState.isSubmitting}>
        {formState.isSubmitting ? 'Signing In...' : 'Sign In'}
      </Button>
    </form>
  )
}
