import { makeStyles, Text, tokens } from '@fluentui/react-components'
import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { OptionalCode, CurrentPassword } from '#contracts/accounts.ts'
import { type Passkey, PasskeyName } from '#contracts/passkeys.ts'
import { describePasskeyError } from '#web/entities/accounts/passkey-ceremony.ts'
import { FormDialog } from '#web/forms/form-dialog.tsx'
import { showFieldErrors } from '#web/forms/form-errors.ts'
import { CodeField } from '#web/forms/account-fields.tsx'
import { TextField } from '#web/forms/text-field.tsx'
import { usePasskeys } from './passkeys-api.ts'

const useStyles = makeStyles({
  content: { display: 'grid', rowGap: '12px' },
  failed: { color: tokens.colorStatusDangerForeground1 },
})

const NewPasskey = z.object({ name: PasskeyName, password: CurrentPassword, code: OptionalCode })

type AddPasskeyDialogProps = {
  /** Asks for a code of the authenticator app as well. */
  needsCode: boolean
  onAdded: (passkey: Passkey) => void
  onClose: () => void
}

/** Asks for a name and the password, then the device for a new passkey. What it refuses can be tried again. */
export function AddPasskeyDialog({ needsCode, onAdded, onClose }: AddPasskeyDialogProps) {
  const styles = useStyles()
  const { add } = usePasskeys()
  const { control, handleSubmit, formState, setError } = useForm({
    resolver: zodResolver(NewPasskey),
    defaultValues: { name: '', password: '', code: '' },
  })
  const failure = formState.errors.root?.message
  const send = handleSubmit(async ({ name, password, code }) => {
    if (needsCode && !code) return setError('code', { message: 'Please enter the code' }, { shouldFocus: true })
    try {
      onAdded(await add.mutateAsync({ name, password, ...(needsCode && code ? { code } : {}) }))
    } catch (error) {
      if (!showFieldErrors(setError)(error)) setError('root', { message: describePasskeyError(error, 'create') })
    }
  })
  return (
    <FormDialog
      title="Add a passkey"
      action="Continue"
      pendingAction="Waiting for your device..."
      pending={formState.isSubmitting}
      dirty={false}
      onSubmit={send}
      onClose={onClose}
    >
      <div className={styles.content}>
        <Text>
          Your computer or phone asks for its PIN, your fingerprint or your face. Use a device that only you can unlock.
        </Text>
        <TextField
          control={control}
          name="name"
          label="Name"
          hint="For example: Front desk laptop"
          maxLength={60}
          autoComplete="off"
          aria-required
          autoFocus
        />
        <TextField
          control={control}
          name="password"
          label="Your password"
          type="password"
          autoComplete="current-password"
          aria-required
        />
        {needsCode && <CodeField control={control} />}
        {failure && (
          <Text className={styles.failed} role="alert">
            {failure}
          </Text>
        )}
      </div>
    </FormDialog>
  )
}
