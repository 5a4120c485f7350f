import { formatName } from '#web/ui/format.ts'
import { Skeleton, SkeletonItem } from '@fluentui/react-components'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Patient, PatientChange } from '#contracts/patients.ts'
import { ConflictNotice } from '#web/forms/conflict-notice.tsx'
import { FormDialog } from '#web/forms/form-dialog.tsx'
import { useConflictForm } from '#web/forms/use-conflict-form.ts'
import { useNotify } from '#web/ui/toasts.tsx'
import { useFocusReturn } from '#web/ui/use-focus-return.ts'
import { patientQuery, useUpdatePatient } from '../api.ts'
import { PatientError } from '../details/patient-error.tsx'
import { fieldLabels } from '../fields.ts'
import { formatField } from '../labels.ts'
import { patientFormFields, toFormPath, toPatientChange, toPatientValues } from './form-values.ts'
import { PatientFields } from './patient-fields.tsx'

type EditPatientDialogProps = { patientId: string; onClose: () => void }

/** Edits a record. Starts from the record as it is now, not from a list's copy. */
export function EditPatientDialog({ patientId, onClose }: EditPatientDialogProps) {
  // The form replaces the skeleton, so the element to return the focus to is known only outside of both.
  useFocusReturn()
  const {
    data: patient,
    error,
    isFetching,
    refetch,
  } = useQuery({ ...patientQuery(patientId), refetchOnMount: 'always' })
  const [opened, setOpened] = useState<Patient>()
  // A background refresh must not change the form while the user types.
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

function EditForm({ start, onClose }: { start: Patient; onClose: () => void }) {
  const notify = useNotify()
  const queries = useQueryClient()
  const update = useUpdatePatient()
  const form = useConflictForm({
    base: start,
    fields: patientFormFields,
    toValues: toPatientValues,
    format: formatField,
    schema: PatientChange,
    toChange: toPatientChange,
    toInput: toFormPath,
    save: async (change, { revision }) => {
      const patient = await update.mutateAsync({ patientId: start.id, body: { ...change, revision } })
      notify({ title: 'Patient updated successfully', body: formatName(patient) })
      return patient
    },
    reload: () => queries.fetchQuery(patientQuery(start.id)),
    failed: 'Failed to update patient',
  })
  return (
    <FormDialog
      title={`Edit ${formatName(start)}`}
      action="Save Changes"
      pendingAction="Saving..."
      pending={update.isPending}
      dirty={form.formState.isDirty}
      signedOut={form.signedOut}
      onSubmit={form.submit(onClose)}
      onClose={onClose}
    >
      {form.conflict && <ConflictNotice key={form.conflict.id} {...form.conflict} labels={fieldLabels} />}
      <PatientFields control={form.control} existing />
    </FormDialog>
  )
}
