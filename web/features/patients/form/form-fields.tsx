import { Field, Input, type InputProps, Textarea, type TextareaProps } from '@fluentui/react-components'
import { type Control, type FieldPath, useController } from 'react-hook-form'
import type { PatientValues } from './form-values.ts'

type Base = {
  control: Control<PatientValues>
  name: FieldPath<PatientValues>
  label: string
  required?: boolean
  hint?: string
  className?: string
}

const useText = (name: FieldPath<PatientValues>, control: Control<PatientValues>) => {
  const { field, fieldState } = useController({ name, control })
  return {
    field: { ...field, value: typeof field.value === 'string' ? field.value : '' },
    message: fieldState.error?.message,
  }
}

type TextFieldProps = Base & Pick<InputProps, 'type' | 'autoComplete' | 'autoFocus' | 'inputMode'>

/** Text input with its label above and its error below. */
export function TextField({ control, name, label, required, hint, className, ...input }: TextFieldProps) {
  const { field, message } = useText(name, control)
  return (
    <Field label={label} required={required} hint={hint} className={className} validationMessage={message}>
      <Input autoComplete="off" {...input} {...field} dir="auto" />
    </Field>
  )
}

/** Text input of several lines. */
export function TextAreaField({
  control,
  name,
  label,
  hint,
  className,
  rows = 3,
}: Base & { rows?: TextareaProps['rows'] }) {
  const { field, message } = useText(name, control)
  return (
    <Field label={label} hint={hint} className={className} validationMessage={message}>
      <Textarea resize="vertical" rows={rows} {...field} textarea={{ dir: 'auto' }} />
    </Field>
  )
}
