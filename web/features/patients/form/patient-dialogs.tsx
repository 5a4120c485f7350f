import type { Patient } from '#contracts/patients.ts'
import { AddPatientDialog } from './add-patient-dialog.tsx'
import { DeletePatientDialog } from './delete-patient-dialog.tsx'
import { EditPatientDialog } from './edit-patient-dialog.tsx'

/** The dialog that is open over the patients. */
export type PatientsDialog =
  | { dialog: 'add' }
  | { dialog: 'edit'; patientId: string }
  | { dialog: 'delete'; patient: Patient }

type PatientDialogsProps = {
  dialog: PatientsDialog
  onClose: () => void
  /** Opens a patient, instead of adding one who exists. */
  onOpen: (patientId: string) => void
  onDeleted: (patient: Patient) => void
}

/** Renders the open dialog. */
export function PatientDialogs({ dialog, onClose, onOpen, onDeleted }: PatientDialogsProps) {
  switch (dialog.dialog) {
    case 'add':
      return <AddPatientDialog onClose={onClose} onAdded={onClose} onOpen={onOpen} />
    case 'edit':
      return <EditPatientDialog patientId={dialog.patientId} onClose={onClose} />
    case 'delete':
      return (
        <DeletePatientDialog patient={dialog.patient} onClose={onClose} onDeleted={() => onDeleted(dialog.patient)} />
      )
  }
}
