import { Button, makeStyles, Text, tokens } from '@fluentui/react-components'
import { ErrorCircleRegular } from '@fluentui/react-icons/svg/error-circle'
import { MailRegular } from '@fluentui/react-icons/svg/mail'
import { zodResolver } from '@hookform/resolvers/zod'
import { useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { requestEmailChange } from '#contracts/account-security.ts'
import { ApiProblem, errorMessage } from '#web/api/call.ts'
import { showFieldErrors } from '#web/forms/form-errors.ts'
import { TextField } from '#web/forms/text-field.tsx'
import { useSubmitOnce } from '#web/forms/use-submit-once.ts'
import { formatDateTime } from '#web/ui/dates.ts'
import { Notice } from '#web/ui/notice.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { LoadedSection } from '../sections/section-state.tsx'
import { SettingsFooter } from '../sections/settings-grid.tsx'
import { useReportUnsavedChanges } from '../sections/unsaved-changes.tsx'
import { type EmailStatus, emailQuery, useRequestEmailChange } from './security-api.ts'

const useStyles = makeStyles({
  form: { display: 'grid', rowGap: '16px' },
  text: { margin: 0, color: tokens.colorNeutralForeground2, overflowWrap: 'anywhere' },
  address: { color: tokens.colorNeutralForeground1, fontWeight: tokens.fontWeightSemibold },
})

const empty = { email: '', password: '' }

/** The address with which the user signs in, and the form that requests another one. */
export function EmailSection() {
  const query = useQuery(emailQuery)
  return (
    <Panel title="Email">
      <LoadedSection query={query} subject="Your email" loadingSubject="your email" rows={2}>
        {(status) => <EmailForm status={status} />}
      </LoadedSection>
    </Panel>
  )
}

function EmailForm({ status }: { status: EmailStatus }) {
  const styles = useStyles()
  const request = useRequestEmailChange()
  const { control, handleSubmit, formState, setError, reset } = useForm({
    resolver: zodResolver(requestEmailChange.body),
    defaultValues: empty,
  })
  const { errors, isDirty, isSubmitting } = formState
  useReportUnsavedChanges(isDirty)
  const send = handleSubmit(async (body) => {
    try {
      await request.mutateAsync(body)
      reset(empty)
    } catch (error) {
      if (!showFieldErrors(setError)(error))
        setError('root', { message: error instanceof ApiProblem ? error.detail : errorMessage(error) })
    }
  })
  const submit = useSubmitOnce(send)
  return (
    <form className={styles.form} onSubmit={submit} noValidate data-unsaved={isDirty || undefined}>
      <Text as="p" block className={styles.text}>
        You sign in with <span className={styles.address}>{status.email}</span>.
      </Text>
      {status.pending && (
        <Notice tone="warning" icon={MailRegular} title="Waiting for your confirmation" role="status">
          <Text>
            {request.data?.delivery === 'outbox'
              ? `Mail is not configured here: the message to ${status.pending.email} is in the outbox.`
              : `We sent a link to ${status.pending.email}.`}{' '}
            It works until {formatDateTime(status.pending.expiresAt)}. Until you open it, nothing changes.
          </Text>
        </Notice>
      )}
      {errors.root?.message && (
        <Notice tone="error" icon={ErrorCircleRegular} title={errors.root.message} role="alert" />
      )}
      <TextField
        control={control}
        name="email"
        label="New email"
        type="email"
        hint="We send a link to it. The current email gets a notice."
        autoComplete="email"
        aria-required
      />
      <TextField
        control={control}
        name="password"
        label="Password"
        type="password"
        autoComplete="current-password"
        aria-required
      />
      <SettingsFooter>
        <Button
          type="submit"
          appearance={isDirty ? 'primary' : 'secondary'}
          disabledFocusable={isSubmitting || !isDirty}
        >
          {isSubmitting ? 'Sending...' : 'Send the link'}
        </Button>
      </SettingsFooter>
    </form>
  )
}
