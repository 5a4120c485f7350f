import { makeStyles, Text } from '@fluentui/react-components'
import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { CurrentPassword, OptionalCode } from '#contracts/accounts.ts'
import { ApiProblem, errorMessage } from '#web/api/call.ts'
import { FormDialog } from './form-dialog.tsx'
import { showFieldErrors } from './form-errors.ts'
import { CodeField } from './account-fields.tsx'
import { TextField } from './text-field.tsx'

const useStyles = makeStyles({ content: { display: 'grid', rowGap: '12px' } })

const Answer = z.object({ password: CurrentPassword, code: OptionalCode })

type PasswordDialogProps = {
  title: string
  reason: string
  action: string
  pendingAction: string
  /** Asks for a code of the second factor as well. */
  needsCode: boolean
  /** Runs the action; a refusal is shown at its field, otherwise at the password. `code` is empty if none is asked for. */
  onConfirm: (answer: { password: string; code: string }) => Promise<void>
  onClose: () => void
}

/** Asks for the password, and a code if the second factor is on, before something important. */
export function PasswordDialog({
  title,
  reason,
  action,
  pendingAction,
  needsCode,
  onConfirm,
  onClose,
}: PasswordDialogProps) {
  const styles = useStyles()
  const { control, handleSubmit, formState, setError } = useForm({
    resolver: zodResolver(Answer),
    defaultValues: { password: '', code: '' },
  })
  const send = handleSubmit(async ({ password, code = '' }) => {
    if (needsCode && code === '') return setError('code', { message: 'Please enter the code' }, { shouldFocus: true })
    try {
      await onConfirm({ password, code })
    } catch (error) {
      const message = error instanceof ApiProblem ? error.detail : errorMessage(error)
      if (!showFieldErrors(setError)(error)) setError('password', { message }, { shouldFocus: true })
    }
  })
  return (
    <FormDialog
      title={title}
      action={action}
      pendingAction={pendingAction}
      pending={formState.isSubmitting}
      dirty={false}
      onSubmit={send}
      onClose={onClose}
    >
      <div className={styles.content}>
        <Text>{reason}</Text>
        <TextField
          control={control}
          name="password"
          label="Your password"
          type="password"
          autoComplete="current-password"
          aria-required
          autoFocus
        />
        {needsCode && <CodeField control={control} />}
      </div>
    </FormDialog>
  )
}
