import { Skeleton, SkeletonItem } from '@fluentui/react-components'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'
import { PatientFieldConflict, type Patient, PatientChange, type PatientField } from '#contracts/patients.ts'
import { ApiProblem } from '#web/api/call.ts'
import { useFocusReturn } from '#web/ui/use-focus-return.ts'
import { useNotify } from '#web/ui/toasts.tsx'
import { patientQuery, useUpdatePatient } from '../api.ts'
import { FormDialog } from '#web/forms/form-dialog.tsx'
import { findChangedFields, toPatientChange, type PatientValues, toPatientValues } from './form-values.ts'
import { findFieldConflicts, rebaseValues } from './conflict.ts'
import { ConflictNotice, type FieldConflict } from '#web/forms/conflict-notice.tsx'
import { PatientError } from '../details/patient-error.tsx'
import { PatientFields } from './patient-fields.tsx'
import { usePatientForm } from './use-patient-form.ts'
import { fieldLabels } from '../fields.ts'
import { formatName } from '../labels.ts'

type EditPatientDialogProps = { patientId: string; onClose: () => void }

/** Corrects a record. Begins with the record as it is now, not as a list had it. */
export function EditPatientDialog({ patientId, onClose }: EditPatientDialogProps) {
  // The form replaces what is shown while the record loads: only from out here is the way back known.
  useFocusReturn()
  const {
    data: patient,
    error,
    isFetching,
    refetch,
  } = useQuery({ ...patientQuery(patientId), refetchOnMount: 'always' })
  const [opened, setOpened] = useState<Patient>()
  // The form keeps what it began with: a refresh behind it must not move what somebody is typing over.
  if (!opened && patient && !isFetching) setOpened(patient)
  if (opened) return <EditForm start={opened} onClose={onClose} />
  return (
    <FormDialog
      title="Edit Patient"
      action="Save Changes"
      pendingAction="Save Changes"
      pending={isFetching}
      dirty={false}
      onSubmit={(event) => event.preventDefault()}
      onClose={onClose}
    >
      {error && !isFetching ? (
        <PatientError error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton aria-label="Loading the record">
          <SkeletonItem size={128} />
        </Skeleton>
      )}
    </FormDialog>
  )
}

const Changes = z.array(PatientFieldConflict)

type Conflict = { overtaken: readonly FieldConflict<PatientField>[]; mine: PatientValues }

function EditForm({ start, onClose }: { start: Patient; onClose: () => void }) {
  const notify = useNotify()
  const queries = useQueryClient()
  const change = useUpdatePatient()
  const [base, setBase] = useState(start)
  const [conflict, setConflict] = useState<Conflict | null>(null)
  const [taken, setTaken] = useState<ReadonlySet<PatientField>>(new Set())
  const form = usePatientForm({
    start: toPatientValues(start),
    schema: PatientChange,
    bodyOf: (values) => toPatientChange(toPatientValues(base), values),
    failed: 'Failed to update patient',
  })

  async function meet(error: ApiProblem, typed: PatientValues): Promise<void> {
    const latest = await queries.fetchQuery(patientQuery(start.id))
    const changes = Changes.safeParse(error.problem['changes']).data ?? []
    const values = rebaseValues(base, latest, typed)
    form.reset(toPatientValues(latest))
    for (const field of findChangedFields(toPatientValues(latest), values))
      form.setValue(field, values[field], { shouldDirty: true })
    setConflict({ overtaken: findFieldConflicts(changes, base, latest, typed), mine: values })
    setTaken(new Set())
    setBase(latest)
  }

  const send = (values: PatientValues) =>
    form.once(async () => {
      if (findChangedFields(toPatientValues(base), values).length === 0) return onClose()
      try {
        const body = { ...toPatientChange(toPatientValues(base), values), revision: base.revision }
        const patient = await change.mutateAsync({ patientId: start.id, body })
        form.reset(values)
        notify({ title: 'Patient updated successfully', body: formatName(patient) })
        onClose()
      } catch (error) {
        const overtaken = error instanceof ApiProblem && error.code === 'changed-meanwhile'
        if (overtaken) await meet(error, values).catch(form.showFailure)
        else form.showFailure(error)
      }
    })

  function choose(field: PatientField, whose: 'theirs' | 'mine'): void {
    if (!conflict) return
    form.setValue(field, whose === 'theirs' ? toPatientValues(base)[field] : conflict.mine[field], {
      shouldDirty: true,
    })
    const next = new Set(taken)
    if (whose === 'theirs') next.add(field)
    else next.delete(field)
    setTaken(next)
  }

  return (
    <FormDialog
      title={`Edit ${formatName(start)}`}
      action="Save Changes"
      pendingAction="Saving..."
      pending={change.isPending}
      dirty={form.formState.isDirty}
      signedOut={form.signedOut}
      onSubmit={form.handleSubmit(send)}
      onClose={onClose}
    >
      {conflict && (
        <ConflictNotice
          key={base.revision}
          overtaken={conflict.overtaken}
          words={fieldLabels}
          taken={taken}
          onChoose={choose}
        />
      )}
      <PatientFields control={form.control} existing />
    </FormDialog>
  )
}
