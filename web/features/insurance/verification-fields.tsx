import { Field, Textarea } from '@fluentui/react-components'
import { type Control, useController } from 'react-hook-form'
import { ChoiceField } from '#web/forms/choice-field.tsx'
import { DateField } from '#web/forms/date-field.tsx'
import { useFormGrid } from '#web/forms/form-grid.ts'
import { TextField } from '#web/forms/text-field.tsx'
import { usePracticeToday } from '#web/entities/practices/practice-time.ts'
import { fieldLabels, relationshipLabels, type VerificationField } from './labels.ts'
import type { VerificationValues } from './verification-values.ts'

type FieldsProps = { control: Control<VerificationValues> }

/** The fields of a policy. */
export function VerificationFields({ control }: FieldsProps) {
  const styles = useFormGrid()
  const today = usePracticeToday()
  const share = <const Name extends VerificationField>(name: Name) => ({ control, name, label: fieldLabels[name] })
  const text = { size: 'medium', autoComplete: 'off' } as const
  return (
    <div className={styles.grid}>
      <TextField {...share('insuranceProvider')} {...text} required maxLength={200} />
      <TextField {...share('policyNumber')} {...text} required maxLength={100} />
      <TextField {...share('groupNumber')} {...text} maxLength={100} />
      <ChoiceField {...share('relationshipToPatient')} choices={relationshipLabels} />
      <TextField {...share('memberName')} {...text} maxLength={200} />
      <DateField {...share('memberDateOfBirth')} max={today} />
      <DateField {...share('eligibilityDate')} />
      <DateField {...share('expiryDate')} hint="The last day of the coverage" />
      <div className={styles.wide}>
        <NotesField control={control} />
      </div>
    </div>
  )
}

function NotesField({ control }: FieldsProps) {
  const { field, fieldState } = useController({ control, name: 'notes' })
  return (
    <Field label={fieldLabels.notes} validationMessage={fieldState.error?.message}>
      <Textarea resize="vertical" rows={3} {...field} textarea={{ dir: 'auto', maxLength: 2_000 }} />
    </Field>
  )
}
