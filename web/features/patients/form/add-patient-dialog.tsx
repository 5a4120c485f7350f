import { formatName } from '#web/ui/format.ts'
import { makeStyles } from '@fluentui/react-components'
import { useState } from 'react'
import { z } from 'zod'
import { DuplicateCandidate, NewPatient, type Patient } from '#contracts/patients.ts'
import { ApiProblem } from '#web/api/call.ts'
import { useHasPermission } from '#web/entities/accounts/current-user.ts'
import { PlanNotice, type PlanRefusal, parsePlanRefusal } from '#web/entities/billing/plan-notice.tsx'
import { useNotify } from '#web/ui/toasts.tsx'
import { useAddPatient } from '../api.ts'
import { DuplicateNotice } from './duplicate-notice.tsx'
import { FormDialog } from '#web/forms/form-dialog.tsx'
import { useContractForm } from '#web/forms/use-contract-form.ts'
import { blankValues, toFormPath, toNewPatient, type PatientValues } from './form-values.ts'
import { PatientFields } from './patient-fields.tsx'

const useStyles = makeStyles({ notice: { marginBottom: '16px' } })

const Candidates = z.array(DuplicateCandidate).min(1)

function parseDuplicateCandidates(error: unknown): DuplicateCandidate[] {
  if (!(error instanceof ApiProblem) || error.code !== 'possible-duplicate') return []
  return Candidates.safeParse(error.problem['candidates']).data ?? []
}

type AddPatientDialogProps = {
  onClose: () => void
  onAdded: (patient: Patient) => void
  onOpen: (patientId: string) => void
}

/** Registers a patient. Asks first when the patient may be registered already. */
export function AddPatientDialog({ onClose, onAdded, onOpen }: AddPatientDialogProps) {
  const styles = useStyles()
  const notify = useNotify()
  const canWriteClinical = useHasPermission('clinical:write')
  const add = useAddPatient()
  const [refusal, setRefusal] = useState<PlanRefusal | null>(null)
  const [candidates, setCandidates] = useState<readonly DuplicateCandidate[]>([])
  const form = useContractForm({
    start: blankValues,
    schema: NewPatient,
    toBody: (values: PatientValues) => toNewPatient(values, canWriteClinical),
    toInput: toFormPath,
    failed: 'Failed to add patient',
  })

  const submit = (allowDuplicate: boolean) =>
    form.submitOnce(async (values) => {
      try {
        const patient = await add.mutateAsync({ ...toNewPatient(values, canWriteClinical), allowDuplicate })
        form.reset(values)
        notify({ title: 'Patient added successfully', body: formatName(patient) })
        onAdded(patient)
      } catch (error) {
        const found = parseDuplicateCandidates(error)
        setCandidates(found)
        setRefusal(parsePlanRefusal(error))
        if (found.length === 0) form.showFailure(error)
      }
    })

  return (
    <FormDialog
      title="Add Patient"
      action="Add Patient"
      pendingAction="Adding..."
      pending={add.isPending}
      dirty={form.formState.isDirty}
      signedOut={form.signedOut}
      onSubmit={submit(false)}
      onClose={onClose}
    >
      {refusal && <PlanNotice refusal={refusal} className={styles.notice} />}
      {candidates.length > 0 && (
        <DuplicateNotice
          key={candidates.map(({ id }) => id).join()}
          candidates={candidates}
          pending={add.isPending}
          onOpen={onOpen}
          onAddAnyway={() => void submit(true)()}
        />
      )}
      <PatientFields control={form.control} />
    </FormDialog>
  )
}
