import { Button, Field, makeStyles, tokens } from '@fluentui/react-components'
import { ErrorCircleRegular } from '@fluentui/react-icons/svg/error-circle'
import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect } from 'react'
import { Controller, type FieldErrors, useForm } from 'react-hook-form'
import { PracticeDetails } from '#contracts/practice-settings.ts'
import { ApiProblem, errorMessage } from '#web/api/call.ts'
import { SpecialtyPicker } from '#web/entities/practices/specialty-picker.tsx'
import { formatTimeZone } from '#web/entities/practices/format-time-zone.ts'
import { showFieldErrors } from '#web/forms/form-errors.ts'
import { Notice } from '#web/ui/notice.tsx'
import { useSubmitOnce } from '#web/forms/use-submit-once.ts'
import { TextField } from '#web/forms/text-field.tsx'
import { useNotify } from '#web/ui/toasts.tsx'
import { SecondaryText } from '#web/ui/text.tsx'
import type { Details } from './onboarding-draft.ts'
import { StepHeading } from './onboarding-steps.tsx'

const narrow = '@media (max-width: 639px)'

const useStyles = makeStyles({
  form: { display: 'grid', rowGap: '24px' },
  fields: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr) minmax(0, 1fr)',
    columnGap: '16px',
    rowGap: '16px',
    alignItems: 'start',
    padding: '24px',
    backgroundColor: tokens.colorNeutralBackground1,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusXLarge,
    '& .fui-Field': { gridTemplateColumns: 'minmax(0, 1fr)' },
    '& .fui-Input': { minWidth: 0 },
    [narrow]: { gridTemplateColumns: 'minmax(0, 1fr)', padding: '16px' },
  },
  wide: { gridColumn: '1 / -1' },
  threeColumns: {
    gridColumn: '1 / -1',
    display: 'grid',
    gridTemplateColumns: 'repeat(3, minmax(0, 1fr))',
    columnGap: '16px',
    rowGap: '16px',
    alignItems: 'start',
    [narrow]: { gridTemplateColumns: 'minmax(0, 1fr)' },
  },
  footer: { display: 'flex', justifyContent: 'space-between' },
})

const PracticeFormSchema = PracticeDetails.omit({ timezone: true })

type Props = {
  details: Details
  timeZone: string
  onChange: (details: Details) => void
  onBack: (details: Details) => void
  onSave: (details: Details) => Promise<void>
}

/** Step 2: practice details. Errors appear at their fields, the first has the focus; the input survives a reload. */
export function PracticeForm({ details, timeZone, onChange, onBack, onSave }: Props) {
  const styles = useStyles()
  const notify = useNotify()
  const { control, handleSubmit, formState, setError, subscribe, getValues } = useForm({
    // Sends the raw input: the server parses it with the same schema.
    resolver: zodResolver(PracticeFormSchema, undefined, { raw: true }),
    defaultValues: details as Details & { specialties: never[] },
  })
  const errors: FieldErrors<Details> = formState.errors
  useEffect(
    () => subscribe({ formState: { values: true }, callback: ({ values }) => onChange(values as Details) }),
    [subscribe, onChange],
  )

  const send = handleSubmit(async () => {
    try {
      await onSave(getValues() as Details)
    } catch (error) {
      notify({ title: 'Setup Failed', body: errorMessage(error) || 'Failed to set up practice', intent: 'error' })
      if (!showFieldErrors(setError)(error))
        setError('root', { message: error instanceof ApiProblem ? error.detail : errorMessage(error) })
    }
  })
  const submit = useSubmitOnce(send)

  return (
    <>
      <StepHeading title="Your practice">
        Patients see the name, address and phone number on reminders and forms.
      </StepHeading>
      <form className={styles.form} onSubmit={submit} noValidate>
        {errors.root?.message && (
          <Notice tone="error" icon={ErrorCircleRegular} title={errors.root.message} role="alert" />
        )}
        <div className={styles.fields}>
          <TextField
            control={control}
            name="name"
            label="Practice name"
            autoComplete="organization"
            className={styles.wide}
            required
          />
          <TextField
            control={control}
            name="address"
            label="Address"
            autoComplete="street-address"
            className={styles.wide}
            required
          />
          <TextField control={control} name="phone" label="Phone" type="tel" autoComplete="tel" required />
          <TextField control={control} name="email" label="Email" type="email" autoComplete="email" required />
          <Controller
            control={control}
            name="specialties"
            render={({ field }) => (
              <Field
                label="Specialties"
                required
                className={styles.wide}
                validationMessage={errors.specialties?.message}
              >
                <SpecialtyPicker chosen={field.value as string[]} onChoose={field.onChange} focusRef={field.ref} />
              </Field>
            )}
          />
          <div className={styles.threeColumns}>
            <TextField
              control={control}
              name="website"
              label="Website (optional)"
              type="url"
              placeholder="https://"
              autoComplete="url"
            />
            <TextField control={control} name="npi" label="NPI (optional)" inputMode="numeric" autoComplete="off" />
            <TextField control={control} name="taxId" label="Tax ID (optional)" autoComplete="off" />
          </div>
          <SecondaryText className={styles.wide}>
            Times are shown in the time zone of this computer, {formatTimeZone(timeZone)}.
          </SecondaryText>
        </div>
        <div className={styles.footer}>
          <Button size="large" onClick={() => onBack(getValues() as Details)}>
            Back
          </Button>
          <Button size="large" appearance="primary" type="submit" disabledFocusable={formState.isSubmitting}>
            {formState.isSubmitting ? 'Setting up...' : 'Complete Setup'}
          </Button>
        </div>
      </form>
    </>
  )
}
