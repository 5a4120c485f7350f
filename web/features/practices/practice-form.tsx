import { Button, Field, Input, makeStyles, tokens } from '@fluentui/react-components'
import { ErrorCircleRegular } from '@fluentui/react-icons'
import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect } from 'react'
import { Controller, type FieldErrors, useForm } from 'react-hook-form'
import { PracticeDetails } from '#contracts/practices.ts'
import { ApiProblem, wordsOf } from '#web/app/call.ts'
import { showProblem } from '#web/app/form-errors.ts'
import { Notice } from '#web/app/notice.tsx'
import { useNotify } from '#web/app/toasts.tsx'
import { Quiet } from '#web/app/words.tsx'
import type { Details } from './draft.ts'
import { StepHead } from './onboarding-steps.tsx'
import { SpecialtyPicker } from './specialty-picker.tsx'

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
  three: {
    gridColumn: '1 / -1',
    display: 'grid',
    gridTemplateColumns: 'repeat(3, minmax(0, 1fr))',
    columnGap: '16px',
    rowGap: '16px',
    alignItems: 'start',
    [narrow]: { gridTemplateColumns: 'minmax(0, 1fr)' },
  },
  foot: { display: 'flex', justifyContent: 'space-between' },
})

const Form = PracticeDetails.omit({ timezone: true })

type Props = {
  details: Details
  timeZone: string
  onChange: (details: Details) => void
  onBack: (details: Details) => void
  onSave: (details: Details) => Promise<void>
}

/** Step 2. Every refusal stands at its field, the first one has the focus, and what was typed survives a reload. */
export function PracticeForm({ details, timeZone, onChange, onBack, onSave }: Props) {
  const styles = useStyles()
  const notify = useNotify()
  const { register, control, handleSubmit, formState, setError, subscribe, getValues } = useForm({
    // The schema checks; what is sent is what was typed, and the server reads it by the same schema.
    resolver: zodResolver(Form, undefined, { raw: true }),
    defaultValues: details as Details & { specialties: never[] },
  })
  const errors: FieldErrors<Details> = formState.errors
  useEffect(
    () => subscribe({ formState: { values: true }, callback: ({ values }) => onChange(values as Details) }),
    [subscribe, onChange],
  )

  const submit = handleSubmit(async () => {
    try {
      await onSave(getValues() as Details)
    } catch (error) {
      notify({ title: 'Setup Failed', body: wordsOf(error) || 'Failed to set up practice', intent: 'error' })
      if (!showProblem(setError)(error))
        setError('root', { message: error instanceof ApiProblem ? error.detail : wordsOf(error) })
    }
  })

  return (
    <>
      <StepHead title="Your practice">Patients see the name, address and phone number on reminders and forms.</StepHead>
      <form className={styles.form} onSubmit={submit} noValidate>
        {errors.root?.message && (
          <Notice tone="bad" icon={ErrorCircleRegular} title={errors.root.message} role="alert" />
        )}
        <div className={styles.fields}>
          <Field label="Practice name" required className={styles.wide} validationMessage={errors.name?.message}>
            <Input size="large" autoComplete="organization" {...register('name')} />
          </Field>
          <Field label="Address" required className={styles.wide} validationMessage={errors.address?.message}>
            <Input size="large" autoComplete="street-address" {...register('address')} />
          </Field>
          <Field label="Phone" required validationMessage={errors.phone?.message}>
            <Input size="large" type="tel" autoComplete="tel" {...register('phone')} />
          </Field>
          <Field label="Email" required validationMessage={errors.email?.message}>
            <Input size="large" type="email" autoComplete="email" {...register('email')} />
          </Field>
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
          <div className={styles.three}>
            <Field label="Website (optional)" validationMessage={errors.website?.message}>
              <Input size="large" type="url" placeholder="https://" autoComplete="url" {...register('website')} />
            </Field>
            <Field label="NPI (optional)" validationMessage={errors.npi?.message}>
              <Input size="large" inputMode="numeric" {...register('npi')} />
            </Field>
            <Field label="Tax ID (optional)" validationMessage={errors.taxId?.message}>
              <Input size="large" {...register('taxId')} />
            </Field>
          </div>
          <Quiet className={styles.wide}>
            Times are shown in {timeZone.replaceAll('_', ' ')}, where this computer is.
          </Quiet>
        </div>
        <div className={styles.foot}>
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
