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
import { blankValues, toNewPatient, type PatientValues } from './form-values.ts'
import { PatientFields } from './patient-fields.tsx'
import { usePatientForm } from './use-patient-form.ts'
import { formatName } from '../labels.ts'

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

/** Registers a patient. Asks when the person may be here already. */
export function AddPatientDialog({ onClose, onAdded, onOpen }: AddPatientDialogProps) {
  const styles = useStyles()
  const notify = useNotify()
  const clinical = useHasPermission('clinical:write')
  const add = useAddPatient()
  const [refusal, refuse] = useState<PlanRefusal | null>(null)
  const [candidates, setCandidates] = useState<readonly DuplicateCandidate[]>([])
  const form = usePatientForm({
    start: blankValues,
    schema: NewPatient,
    bodyOf: (values) => toNewPatient(values, clinical),
    failed: 'Failed to add patient',
  })

  const send = (values: PatientValues, allowDuplicate: boolean) =>
    form.once(async () => {
      try {
        const patient = await add.mutateAsync({ ...toNewPatient(values, clinical), allowDuplicate })
        form.reset(values)
        notify({ title: 'Patient added successfully', body: formatName(patient) })
        onAdded(patient)
      } catch (error) {
        const found = parseDuplicateCandidates(error)
        setCandidates(found)
        refuse(parsePlanRefusal(error))
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
      onSubmit={form.handleSubmit((values) => send(values, false))}
      onClose={onClose}
    >
      {refusal && <PlanNotice refusal={refusal} className={styles.notice} />}
      {candidates.length > 0 && (
        <DuplicateNotice
          key={candidates.map(({ id }) => id).join()}
          candidates={candidates}
          pending={add.isPending}
          onOpen={onOpen}
          onAddAnyway={() => void form.handleSubmit((values) => send(values, true))()}
        />
      )}
      <PatientFields control={form.control} />
    </FormDialog>
  )
}
