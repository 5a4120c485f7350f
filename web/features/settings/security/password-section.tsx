import { Button, makeStyles } from '@fluentui/react-components'
import { LockClosedRegular } from '@fluentui/react-icons/svg/lock-closed'
import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { PasswordChangeForm } from '#contracts/account-security.ts'
import { ApiProblem, errorMessage } from '#web/api/call.ts'
import { useCurrentUser } from '#web/entities/accounts/current-user.ts'
import { showFieldErrors } from '#web/forms/form-errors.ts'
import { TextField } from '#web/forms/text-field.tsx'
import { useSubmitOnce } from '#web/forms/use-submit-once.ts'
import { Notice } from '#web/ui/notice.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { useNotify } from '#web/ui/toasts.tsx'
import { SettingsFooter } from '../sections/settings-grid.tsx'
import { useReportUnsavedChanges } from '../sections/unsaved-changes.tsx'
import { useChangePassword } from './security-api.ts'

const useStyles = makeStyles({ form: { display: 'grid', rowGap: '16px' } })
const empty = { currentPassword: '', password: '', confirmPassword: '' }

/** Form with which the signed-in user changes the password. */
export function PasswordSection() {
  const styles = useStyles()
  const notify = useNotify()
  const user = useCurrentUser()
  const change = useChangePassword()
  const { control, handleSubmit, formState, setError, reset } = useForm({
    resolver: zodResolver(PasswordChangeForm),
    defaultValues: empty,
  })
  const { errors, isDirty, isSubmitting } = formState
  useReportUnsavedChanges(isDirty)
  const send = handleSubmit(async ({ confirmPassword: _, ...body }) => {
    try {
      await change.mutateAsync(body)
      reset(empty)
      notify({ title: 'Password changed', body: 'You were signed out everywhere else.' })
    } catch (error) {
      if (!showFieldErrors(setError)(error))
        setError('root', { message: error instanceof ApiProblem ? error.detail : errorMessage(error) })
    }
  })
  const submit = useSubmitOnce(send)
  return (
    <Panel title="Password" note="Changing it signs you out everywhere else">
      <form className={styles.form} onSubmit={submit} noValidate data-unsaved={isDirty || undefined}>
        {errors.root?.message && (
          <Notice tone="error" icon={LockClosedRegular} title={errors.root.message} role="alert" />
        )}
        {/* Password managers need to know whose password changes. */}
        <input type="hidden" name="username" autoComplete="username" value={user?.email ?? ''} />
        <TextField
          control={control}
          name="currentPassword"
          label="Current password"
          type="password"
          autoComplete="current-password"
          aria-required
        />
        <TextField
          control={control}
          name="password"
          label="New password"
          type="password"
          hint="At least 8 characters"
          autoComplete="new-password"
          aria-required
        />
        <TextField
          control={control}
          name="confirmPassword"
          label="Confirm new password"
          type="password"
          autoComplete="new-password"
          aria-required
        />
        <SettingsFooter>
          <Button
            type="submit"
            appearance={isDirty ? 'primary' : 'secondary'}
            disabledFocusable={isSubmitting || !isDirty}
          >
            {isSubmitting ? 'Saving...' : 'Change password'}
          </Button>
        </SettingsFooter>
      </form>
    </Panel>
  )
}
