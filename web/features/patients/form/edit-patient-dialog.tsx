import { formatName } from '#web/ui/format.ts'
import { useQueryClient } from '@tanstack/react-query'
import { type Patient, PatientChange } from '#contracts/patients.ts'
import { fetchNewest } from '#web/api/fetch-newest.ts'
import { ConflictNotice } from '#web/entities/practices/conflict-notice.tsx'
import { EditDialog } from '#web/forms/edit-dialog.tsx'
import { FormDialog } from '#web/forms/form-dialog.tsx'
import { useConflictForm } from '#web/forms/use-conflict-form.ts'
import { useNotify } from '#web/ui/toasts.tsx'
import { useUpdatePatient } from '../api.ts'
import { patientQuery } from '#web/entities/patients/patient-query.ts'
import { PatientError } from '../details/patient-error.tsx'
import { fieldLabels } from '../fields.ts'
import { formatField } from '../labels.ts'
import { patientFormFields, toFormPath, toPatientChange, toPatientValues } from './form-values.ts'
import { PatientFields } from './patient-fields.tsx'

type EditPatientDialogProps = { patientId: string; onClose: () => void }

/** Edits a patient's record. */
export function EditPatientDialog({ patientId, onClose }: EditPatientDialogProps) {
  return (
    <EditDialog
      title="Edit Patient"
      loadingLabel="Loading the record"
      query={patientQuery(patientId)}
      renderError={(error, retry) => <PatientError error={error} onRetry={retry} />}
      onClose={onClose}
    >
      {(patient) => <EditForm start={patient} onClose={onClose} />}
    </EditDialog>
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
    reload: () => fetchNewest(queries, patientQuery(start.id)),
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
