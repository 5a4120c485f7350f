import { Field, Radio, RadioGroup } from '@fluentui/react-components'
import { type Control, useController } from 'react-hook-form'
import { findField } from '../fields.ts'
import { TextAreaField } from './form-fields.tsx'
import type { PatientValues } from './form-values.ts'

const { label: statusLabel, choices = {} } = findField('allergiesStatus')
const { hint, rows } = findField('allergies')

/** Inputs of the allergies: unknown, none or listed, and the list when there are any. */
export function AllergyFields({ control }: { control: Control<PatientValues> }) {
  const { field, fieldState } = useController({ name: 'allergiesStatus', control })
  return (
    <>
      <Field label={statusLabel} validationMessage={fieldState.error?.message}>
        <RadioGroup
          layout="horizontal"
          name={field.name}
          value={field.value}
          onChange={(_, { value }) => field.onChange(value)}
          onBlur={field.onBlur}
        >
          {Object.entries(choices).map(([value, choice]) => (
            <Radio key={value} value={value} label={choice} />
          ))}
        </RadioGroup>
      </Field>
      {field.value === 'listed' && (
        <TextAreaField control={control} name="allergies" label="Allergic to" hint={hint} rows={rows} />
      )}
    </>
  )
}
