import { Field, Input } from '@fluentui/react-components'
import type { FocusEvent, KeyboardEvent } from 'react'
import { type Control, type FieldPath, type FieldValues, useController } from 'react-hook-form'

/** Value of an incompletely typed date: the browser reports it as empty, and it must not be saved as such. */
const unfinished = 'unfinished'

type DateFieldProps<Values extends FieldValues> = {
  control: Control<Values>
  name: FieldPath<Values>
  label: string
  hint?: string | undefined
  /** The last day that can be picked, YYYY-MM-DD. */
  max?: string
}

/** Date input with its label above and its error below. */
export function DateField<Values extends FieldValues>({ control, name, label, hint, max }: DateFieldProps<Values>) {
  const { field, fieldState } = useController({ name, control })
  const readValue = ({ currentTarget }: KeyboardEvent<HTMLInputElement> | FocusEvent<HTMLInputElement>) => {
    const value = currentTarget.validity.badInput ? unfinished : currentTarget.value
    if (value !== field.value) field.onChange(value)
  }
  return (
    <Field label={label} hint={hint} validationMessage={fieldState.error?.message}>
      <Input
        type="date"
        min="1900-01-01"
        max={max}
        {...field}
        value={field.value === unfinished ? '' : field.value}
        onKeyUp={readValue}
        onBlur={(event) => {
          readValue(event)
          field.onBlur()
        }}
      />
    </Field>
  )
}
