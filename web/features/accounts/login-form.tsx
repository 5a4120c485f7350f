import { Button, makeStyles, Text } from '@fluentui/react-components'
import { LockClosedRegular } from '@fluentui/react-icons/svg/lock-closed'
import { zodResolver } from '@hookform/resolvers/zod'
import { getRouteApi, Link, useRouter } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useForm } from 'react-hook-form'
import { Credentials, type CurrentUser, OptionalCode } from '#contracts/accounts.ts'
import { ApiProblem, errorMessage } from '#web/api/call.ts'
import { useLinkStyles } from '#web/ui/link-styles.ts'
import { Notice } from '#web/ui/notice.tsx'
import { showFieldErrors } from '#web/forms/form-errors.ts'
import { useSubmitOnce } from '#web/forms/use-submit-once.ts'
import { CodeField } from '#web/forms/account-fields.tsx'
import { TextField } from '#web/forms/text-field.tsx'
import { useNotify } from '#web/ui/toasts.tsx'
import { useLogin } from './api.ts'
import { toLocalPath } from './local-path.ts'

const route = getRouteApi('/auth')
const useStyles = makeStyles({
  form: { display: 'grid', rowGap: '18px' },
  // As high as the button that appears there: what is below must not move under the pointer.
  passkey: { height: '40px' },
})

/** Loaded with the screen, but not before the first form is shown. */
const PasskeySignIn = lazy(() => import('./passkey-sign-in.tsx').then((loaded) => ({ default: loaded.PasskeySignIn })))

const SignIn = Credentials.extend({ code: OptionalCode })

/** Sign-in form. Errors appear in the form and as a toast; the input is kept. */
export function LoginForm() {
  const styles = useStyles()
  const { link } = useLinkStyles()
  const notify = useNotify()
  const router = useRouter()
  const { redirect, reason } = route.useSearch()
  const login = useLogin()
  const [needsCode, setNeedsCode] = useState(false)
  const { control, handleSubmit, formState, getValues, setError, setFocus } = useForm({
    resolver: zodResolver(SignIn),
    defaultValues: { email: '', password: '', code: '' },
  })
  const { errors } = formState

  const welcome = ({ firstName }: CurrentUser) => {
    notify({ title: 'Login successful', body: `Welcome back, ${firstName}!` })
    router.history.push(toLocalPath(redirect))
  }
  const send = handleSubmit(async ({ code, ...credentials }) => {
    if (needsCode && !code) return setError('code', { message: 'Please enter the code' }, { shouldFocus: true })
    try {
      welcome(await login.mutateAsync(needsCode ? { ...credentials, code } : credentials))
    } catch (error) {
      const code = error instanceof ApiProblem ? error.code : ''
      if (code === 'two-factor-required') return setNeedsCode(true)
      if (code === 'invalid-code') return void showFieldErrors(setError)(error)
      notify({ title: 'Login failed', body: errorMessage(error), intent: 'error' })
      setError('root', { message: error instanceof ApiProblem ? error.detail : errorMessage(error) })
      setFocus('password', { shouldSelect: true })
    }
  })
  const submit = useSubmitOnce(send)

  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      {reason === 'password-changed' && !errors.root && (
        <Notice tone="success" icon={LockClosedRegular} title="Your password was changed" role="status">
          <Text>Sign in with the new one.</Text>
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
      {needsCode && <CodeField control={control} autoFocus />}
      <Button appearance="primary" size="large" type="submit" disabledFocusable={formState.isSubmitting}>
        {formState.isSubmitting ? 'Signing In...' : 'Sign In'}
      </Button>
      <Suspense fallback={<span className={styles.passkey} />}>
        <PasskeySignIn
          email={needsCode ? getValues('email') : undefined}
          onSignedIn={welcome}
          onFailed={(message) => setError('root', { message })}
        />
      </Suspense>
      <Text>
        <Link to="/forgot" search={() => ({ email: getValues('email') || undefined })} className={link}>
          Forgot your password?
        </Link>
      </Text>
    </form>
  )
}
