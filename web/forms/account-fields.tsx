import { makeStyles } from '@fluentui/react-components'
import type { Control, FieldPath, FieldValues } from 'react-hook-form'
import { TextField } from './text-field.tsx'

const useStyles = makeStyles({
  names: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr) minmax(0, 1fr)',
    columnGap: '12px',
    alignItems: 'start',
    '& .fui-Input': { minWidth: 0 },
    '& .fui-Field': { gridTemplateColumns: 'minmax(0, 1fr)' },
  },
})

type FieldsProps<Values extends FieldValues, Sent> = { control: Control<Values, unknown, Sent> }

/** First and last name of a new account, side by side. The form begins with them. */
export function NameFields<Values extends FieldValues & { firstName: string; lastName: string }, Sent = Values>({
  control,
}: FieldsProps<Values, Sent>) {
  const styles = useStyles()
  return (
    <div className={styles.names}>
      <TextField
        control={control}
        name={'firstName' as FieldPath<Values>}
        label="First name"
        autoComplete="given-name"
        aria-required
        autoFocus
      />
      <TextField
        control={control}
        name={'lastName' as FieldPath<Values>}
        label="Last name"
        autoComplete="family-name"
        aria-required
      />
    </div>
  )
}

/** The username of a new account. */
export function UsernameField<Values extends FieldValues & { username: string }, Sent = Values>({
  control,
}: FieldsProps<Values, Sent>) {
  return (
    <TextField
      control={control}
      name={'username' as FieldPath<Values>}
      label="Username"
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      aria-required
    />
  )
}

/** The code of the second factor, which a sign-in or a confirmation with the password may need. */
export function CodeField<Values extends FieldValues & { code?: string | undefined }, Sent = Values>({
  control,
  autoFocus = false,
}: FieldsProps<Values, Sent> & { autoFocus?: boolean }) {
  return (
    <TextField
      control={control}
      name={'code' as FieldPath<Values>}
      label="Code"
      hint="The six digits of your authenticator app, or a recovery code"
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      aria-required
      autoFocus={autoFocus}
    />
  )
}
