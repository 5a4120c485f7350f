import { Button, Field, Input, makeStyles } from '@fluentui/react-components'
import { LockClosedRegular } from '@fluentui/react-icons'
import { zodResolver } from '@hookform/resolvers/zod'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import { Credentials } from '#contracts/accounts.ts'
import { ApiProblem, wordsOf } from '#web/app/call.ts'
import { Notice } from '#web/app/notice.tsx'
import { PasswordInput } from '#web/app/password-input.tsx'
import { useNotify } from '#web/app/toasts.tsx'
import { useLogin } from './api.ts'
import { localPath } from './local-path.ts'

const route = getRouteApi('/auth')
const useStyles = makeStyles({ form: { display: 'grid', rowGap: '18px' } })

/** "in 2 minutes": a locked account says when to come back. */
const later = (seconds: number) => (seconds < 90 ? `in ${seconds} seconds` : `in ${Math.ceil(seconds / 60)} minutes`)

/** E-mail and password. What is wrong is said here and as a toast; what was typed stays. */
export function LoginForm() {
  const styles = useStyles()
  const notify = useNotify()
  const router = useRouter()
  const { redirect } = route.useSearch()
  const login = useLogin()
  const { register, handleSubmit, formState, setError, setFocus } = useForm({
    resolver: zodResolver(Credentials),
    defaultValues: { email: '', password: '' },
  })
  const { errors } = formState

  const submit = handleSubmit(async (credentials) => {
    try {
      const user = await login.mutateAsync(credentials)
      notify({ title: 'Login successful', body: `Welcome back, ${user.firstName}!` })
      router.history.push(localPath(redirect))
    } catch (error) {
      notify({ title: 'Login failed', body: wordsOf(error), intent: 'error' })
      const locked = error instanceof ApiProblem && error.status === 429 && error.retryAfter !== null
      const words = error instanceof ApiProblem ? error.detail : wordsOf(error)
      setError('root', { message: locked ? `${words} Try again ${later(error.retryAfter ?? 0)}.` : words })
      setFocus('password', { shouldSelect: true })
    }
  })

  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      {errors.root?.message && <Notice tone="bad" icon={LockClosedRegular} title={errors.root.message} role="alert" />}
      <Field label="Email" required validationMessage={errors.email?.message}>
        <Input size="large" type="email" autoComplete="username" autoFocus {...register('email')} />
      </Field>
      <Field label="Password" required validationMessage={errors.password?.message}>
        <PasswordInput size="large" autoComplete="current-password" {...register('password')} />
      </Field>
      <Button appearance="primary" size="large" type="submit" disabledFocusable={formState.isSubmitting}>
        {formState.isSubmitting ? 'Signing In...' : 'Sign In'}
      </Button>
    </form>
  )
}
