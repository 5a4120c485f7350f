import { formatName } from '#web/ui/format.ts'
import { Text } from '@fluentui/react-components'
import type { Patient } from '#contracts/patients.ts'
import { errorMessage } from '#web/api/call.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { useNotify } from '#web/ui/toasts.tsx'
import { useRemovePatient } from '../api.ts'

type DeletePatientDialogProps = { patient: Patient; onClose: () => void; onDeleted: () => void }

/** Confirms the deletion of a patient and states what happens to the record. */
export function DeletePatientDialog({ patient, onClose, onDeleted }: DeletePatientDialogProps) {
  const notify = useNotify()
  const remove = useRemovePatient()
  const confirm = () =>
    remove.mutate(patient.id, {
      onSuccess: () => {
        notify({ title: 'Patient deleted', body: formatName(patient) })
        onDeleted()
      },
      onError: (error) => {
        notify({ title: 'Failed to delete patient', body: errorMessage(error), intent: 'error' })
      },
    })
  return (
    <ConfirmDialog
      open
      title={`Delete ${formatName(patient)}?`}
      action="Delete patient"
      pendingAction="Deleting..."
      pending={remove.isPending}
      failure={remove.error ? errorMessage(remove.error) : null}
      danger
      onConfirm={confirm}
      onCancel={onClose}
    >
      <Text>
        {formatName(patient)} will no longer appear in the list or in searches for anyone in the practice. The record
        itself is kept.
      </Text>
    </ConfirmDialog>
  )
}
