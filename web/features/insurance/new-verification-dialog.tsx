import { makeStyles } from '@fluentui/react-components'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { NewVerification } from '#contracts/insurance.ts'
import { useNamedPatient } from '#web/entities/patients/use-named-patient.ts'
import { type PickedPatient, PatientPicker } from '#web/entities/patients/patient-picker.tsx'
import { ChoiceField } from '#web/forms/choice-field.tsx'
import { FormDialog } from '#web/forms/form-dialog.tsx'
import { proposeValues } from '#web/forms/propose-values.ts'
import { useContractForm } from '#web/forms/use-contract-form.ts'
import { useNotify } from '#web/ui/toasts.tsx'
import { useAddVerification, verificationCountsQuery } from './api.ts'
import { formatVerificationName } from './labels.ts'
import { CheckNotice } from './stand-in-notice.tsx'
import { VerificationFields } from './verification-fields.tsx'
import { blankValues, toNewVerification, toPolicyValues } from './verification-values.ts'

const useStyles = makeStyles({ fields: { display: 'grid', rowGap: '14px', gridTemplateColumns: 'minmax(0, 1fr)' } })

/** The statuses that the form offers (spec page 2, section 4.4); a rejected one is shown as denied. */
const choosableStatuses = { pending: 'Pending', verified: 'Verified', rejected: 'Rejected' }

/** Adds a verification of a patient's insurance; of the patient with an id when the screen before named one. */
export function NewVerificationDialog({ patientId, onClose }: { patientId?: string | undefined; onClose: () => void }) {
  const styles = useStyles()
  const notify = useNotify()
  const add = useAddVerification()
  const { data: counts } = useQuery(verificationCountsQuery)
  const patientInput = useRef<HTMLInputElement>(null)
  const [patient, setPatient] = useState<PickedPatient | null>(null)
  const form = useContractForm({
    start: blankValues,
    schema: NewVerification,
    toBody: toNewVerification,
    toInput: (path) => path,
    required: [['patientId', 'Please choose a patient']],
    failed: 'Verification failed',
  })
  const choosePatient = (chosen: PickedPatient | null) => {
    setPatient(chosen)
    const options = { shouldDirty: true, shouldValidate: form.formState.isSubmitted }
    form.setValue('patientId', chosen?.id ?? '', options)
    const [before, next] = [toPolicyValues(patient?.insuranceInfo), toPolicyValues(chosen?.insuranceInfo)]
    for (const [field, value] of proposeValues(form.getValues(), before, next)) form.setValue(field, value, options)
    if (chosen) setTimeout(() => form.setFocus('insuranceProvider'))
  }
  // The form begins with this patient: closed again, it asks nothing.
  useNamedPatient(patientId, (named) => {
    setPatient(named)
    const start = { ...blankValues, patientId: named.id, ...toPolicyValues(named.insuranceInfo) }
    form.reset(start, { keepDirtyValues: true })
    setTimeout(() => form.setFocus('insuranceProvider'))
  })
  const submit = form.submitOnce(async (values) => {
    try {
      const verification = await add.mutateAsync(toNewVerification(values))
      form.reset(values)
      notify({ title: 'Insurance verification initiated', body: formatVerificationName(verification) })
      onClose()
    } catch (error) {
      form.showFailure(error)
    }
  })
  const { errors, isDirty, isSubmitting } = form.formState
  return (
    <FormDialog
      title="New Verification"
      action="Verify Insurance"
      pendingAction="Verifying..."
      pending={isSubmitting}
      dirty={isDirty && !add.isSuccess}
      signedOut={form.signedOut}
      onSubmit={submit}
      onClose={onClose}
    >
      <div className={styles.fields}>
        <PatientPicker
          chosen={patient}
          message={errors.patientId?.message}
          inputRef={patientInput}
          onChoose={choosePatient}
        />
        <VerificationFields control={form.control} />
        <ChoiceField
          control={form.control}
          name="verificationStatus"
          label="Verification status"
          choices={choosableStatuses}
        />
        <CheckNotice check={counts?.checkedBy ?? 'stand-in'} />
      </div>
    </FormDialog>
  )
}
