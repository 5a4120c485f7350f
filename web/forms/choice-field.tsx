import { Field, Select } from '@fluentui/react-components'
import { type Control, type FieldPath, type FieldValues, useController } from 'react-hook-form'

type ChoiceFieldProps<Values extends FieldValues> = {
  control: Control<Values>
  name: FieldPath<Values>
  label: string
  /** The labels by value, in their order. */
  choices: Readonly<Record<string, string>>
  /** The label of no choice; without it, one of the choices has to be made. */
  none?: string
}

/** Select of one of a few choices, with its label above and its error below. */
export function ChoiceField<Values extends FieldValues>({
  control,
  name,
  label,
  choices,
  none,
}: ChoiceFieldProps<Values>) {
  const { field, fieldState } = useController({ control, name })
  return (
    <Field label={label} validationMessage={fieldState.error?.message}>
      <Select {...field}>
        {none !== undefined && <option value="">{none}</option>}
        {Object.entries(choices).map(([value, choice]) => (
          <option key={value} value={value}>
            {choice}
          </option>
        ))}
      </Select>
    </Field>
  )
}
