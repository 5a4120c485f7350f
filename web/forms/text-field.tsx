import { Field, type FieldProps, Input, type InputProps, makeStyles, tokens } from '@fluentui/react-components'
import { type Control, type FieldPath, type FieldValues, useController } from 'react-hook-form'
import { PasswordInput } from '#web/ui/password-input.tsx'

// The focus underline is red too while the field is invalid.
const useStyles = makeStyles({ error: { '::after': { borderBottomColor: tokens.colorStatusDangerBorder2 } } })

type TextFieldProps<Values extends FieldValues, Sent> = Omit<InputProps, 'name' | 'value' | 'defaultValue' | 'ref'> & {
  control: Control<Values, unknown, Sent>
  name: FieldPath<Values>
  label: string
  hint?: FieldProps['hint']
  /** Marks the label with an asterisk. Forms in which every field is required use `aria-required` instead. */
  required?: boolean
}

/**
 * Form field: label above, error below in place of the hint. Controlled, because Fluent's Input keeps its own value and
 * `register` would lose the default values.
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
  const error = fieldState.error?.message
  const InputComponent = type === 'password' ? PasswordInput : Input
  return (
    <Field
      label={label}
      required={required}
      {...(className ? { className } : {})}
      {...(error ? { validationMessage: error } : { hint })}
    >
      <InputComponent
        size="large"
        type={type}
        {...input}
        {...(error ? { className: styles.error } : {})}
        name={name}
        ref={ref}
        value={value ?? ''}
        onBlur={onBlur}
        onChange={(_, { value: text }) => onChange(text)}
      />
    </Field>
  )
}
