import { Field, Input, type InputProps, Select, Textarea, type TextareaProps } from '@fluentui/react-components'
import type { KeyboardEvent } from 'react'
import { type Control, type FieldPath, useController } from 'react-hook-form'
import { getToday } from '#web/ui/dates.ts'
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

/** A line of text with its label above and what is wrong with it below. */
export function TextField({ control, name, label, required, hint, className, ...input }: TextFieldProps) {
  const { field, message } = useText(name, control)
  return (
    <Field label={label} required={required} hint={hint} className={className} validationMessage={message}>
      <Input autoComplete="off" {...input} {...field} dir="auto" />
    </Field>
  )
}

/** Several lines of text. */
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

/** One of a few words, or none. */
export function ChoiceField({ control, name, label, choices }: Base & { choices: Record<string, string> }) {
  const { field, message } = useText(name, control)
  return (
    <Field label={label} validationMessage={message}>
      <Select {...field}>
        <option value="">Not specified</option>
        {Object.entries(choices).map(([value, word]) => (
          <option key={value} value={value}>
            {word}
          </option>
        ))}
      </Select>
    </Field>
  )
}

/** Stands for a date that is typed in part: a browser says nothing of it, and it must not pass as an empty one. */
const unfinished = 'unfinished'

/** A day in somebody's life. */
export function DateField({ control, name, label, hint }: Base) {
  const { field, message } = useText(name, control)
  const read = ({ currentTarget }: KeyboardEvent<HTMLInputElement> | React.FocusEvent<HTMLInputElement>) => {
    const value = currentTarget.validity.badInput ? unfinished : currentTarget.value
    if (value !== field.value) field.onChange(value)
  }
  return (
    <Field label={label} hint={hint} validationMessage={message}>
      <Input
        type="date"
        min="1900-01-01"
        max={getToday()}
        {...field}
        value={field.value === unfinished ? '' : field.value}
        onKeyUp={read}
        onBlur={(event) => {
          read(event)
          field.onBlur()
        }}
      />
    </Field>
  )
}
