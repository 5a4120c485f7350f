import { Field, type FieldProps, Input, type InputProps, makeStyles, tokens } from '@fluentui/react-components'
import { type Control, type FieldPath, type FieldValues, useController } from 'react-hook-form'
import { PasswordInput } from '#web/ui/password-input.tsx'

// The line below a field that has the focus is red as well while the field is wrong.
const useStyles = makeStyles({ wrong: { '::after': { borderBottomColor: tokens.colorStatusDangerBorder2 } } })

type TextFieldProps<Values extends FieldValues, Sent> = Omit<InputProps, 'name' | 'value' | 'defaultValue' | 'ref'> & {
  control: Control<Values, unknown, Sent>
  name: FieldPath<Values>
  label: string
  hint?: FieldProps['hint']
  /** Marks the label with an asterisk. Where every field is needed, `aria-required` says so without the noise. */
  required?: boolean
}

/**
 * A line of a form: label above, what is wrong below, in the place of the hint. Fluent's Input keeps a value of its own,
 * so a field must be controlled; only `register` would lose what a form starts with.
 */
export function TextField<Values extends FieldValues, Sent = Values>({
  control,
  name,
  label,
  hint,
  required = false,
  className,
  type,
  ...input
}: TextFieldProps<Values, Sent>) {
  const styles = useStyles()
  const {
    field: { ref, value, onChange, onBlur },
    fieldState,
  } = useController({ control, name })
  const wrong = fieldState.error?.message
  const Kind = type === 'password' ? PasswordInput : Input
  return (
    <Field
      label={label}
      required={required}
      {...(className ? { className } : {})}
      {...(wrong ? { validationMessage: wrong } : { hint })}
    >
      <Kind
        size="large"
        type={type}
        {...input}
        {...(wrong ? { className: styles.wrong } : {})}
        name={name}
        ref={ref}
        value={value ?? ''}
        onBlur={onBlur}
        onChange={(_, { value: typed }) => onChange(typed)}
      />
    </Field>
  )
}
