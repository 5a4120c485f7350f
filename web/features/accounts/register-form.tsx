import { Button, Checkbox, makeStyles } from '@fluentui/react-components'
import { ErrorCircleRegular } from '@fluentui/react-icons/svg/error-circle'
import { zodResolver } from '@hookform/resolvers/zod'
import { getRouteApi } from '@tanstack/react-router'
import { Controller, useForm } from 'react-hook-form'
import { RegistrationForm } from '#contracts/accounts.ts'
import { ApiProblem, errorMessage } from '#web/api/call.ts'
import { findChosenPlan, keepChosenPlan, parseChosenPlan } from '#web/entities/billing/chosen-plan.ts'
import { showFieldErrors } from '#web/forms/form-errors.ts'
import { Notice } from '#web/ui/notice.tsx'
import { useSubmitOnce } from '#web/forms/use-submit-once.ts'
import { NameFields, UsernameField } from '#web/forms/account-fields.tsx'
import { TextField } from '#web/forms/text-field.tsx'
import { useNotify } from '#web/ui/toasts.tsx'
import { useRegister } from './api.ts'

const route = getRouteApi('/auth')

const useStyles = makeStyles({
  form: { display: 'grid', rowGap: '16px' },
})

/** Sign-up form. Afterwards the whole app reloads at the welcome page (spec). */
export function RegisterForm() {
  const styles = useStyles()
  const notify = useNotify()
  const register = useRegister()
  const { redirect } = route.useSearch()
  const { handleSubmit, control, formState, setError } = useForm({
    resolver: zodResolver(RegistrationForm),
    defaultValues: {
      firstName: '',
      lastName: '',
      email: '',
      username: '',
      password: '',
      confirmPassword: '',
      newsletterOptIn: false,
    },
  })
  const { errors } = formState
  const isPending = formState.isSubmitting

  const send = handleSubmit(async ({ confirmPassword: _, ...registration }) => {
    try {
      const { id } = await register.mutateAsync(registration)
      const plan = parseChosenPlan(redirect) ?? findChosenPlan(null)
      if (plan) keepChosenPlan(plan, id)
      location.assign('/welcome')
      // Stays pending until the page unloads.
      await new Promise(() => undefined)
    } catch (error) {
      notify({ title: 'Registration failed', body: errorMessage(error), intent: 'error' })
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
      <NameFields control={control} />
      <TextField control={control} name="email" label="Email" type="email" autoComplete="email" aria-required />
      <UsernameField control={control} />
      <TextField
        control={control}
        name="password"
        label="Password"
        type="password"
        hint="At least 8 characters"
        autoComplete="new-password"
        aria-required
      />
      <TextField
        control={control}
        name="confirmPassword"
        label="Confirm password"
        type="password"
        autoComplete="new-password"
        aria-required
      />
      <Controller
        control={control}
        name="newsletterOptIn"
        render={({ field: { value, onChange, ...field } }) => (
          <Checkbox
            {...field}
            checked={value ?? false}
            onChange={(_, { checked }) => onChange(checked === true)}
            label="Send me the newsletter with healthcare insights and product updates"
          />
        )}
      />
      <Button appearance="primary" size="large" type="submit" disabledFocusable={isPending}>
        {isPending ? 'Creating Account...' : 'Create Account'}
      </Button>
    </form>
  )
}
