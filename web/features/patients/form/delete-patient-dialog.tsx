import { formatName } from '#web/ui/format.ts'
import { makeStyles, Text } from '@fluentui/react-components'
import { useQuery } from '@tanstack/react-query'
import type { Appointment } from '#contracts/appointments.ts'
import type { Patient } from '#contracts/patients.ts'
import { errorMessage } from '#web/api/call.ts'
import { appointmentTypeLabels } from '#web/entities/appointments/appointment-type-labels.ts'
import { patientAppointmentsQuery } from '#web/entities/appointments/patient-appointments.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { formatDate, formatTime } from '#web/ui/dates.ts'
import { useNow } from '#web/ui/use-now.ts'
import { useNotify } from '#web/ui/toasts.tsx'
import { useRemovePatient } from '../api.ts'

const useStyles = makeStyles({ list: { margin: '4px 0 0', paddingLeft: '18px' } })

type DeletePatientDialogProps = { patient: Patient; onClose: () => void; onDeleted: () => void }

/** Confirms the deletion of a patient and states what happens to the record. */
export function DeletePatientDialog({ patient, onClose, onDeleted }: DeletePatientDialogProps) {
  const notify = useNotify()
  const remove = useRemovePatient()
  const { coming, isPending } = useComingAppointments(patient.id)
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
      isReady={!isPending}
      failure={remove.error ? errorMessage(remove.error) : null}
      danger
      onConfirm={confirm}
      onCancel={onClose}
    >
      <ComingAppointments coming={coming} />
      <Text>
        {formatName(patient)} will no longer appear in the list or in searches for anyone in the practice. The record
        itself is kept.
      </Text>
    </ConfirmDialog>
  )
}

/** The appointments that the deletion cancels. Those in progress stay. */
type Coming = { shown: readonly Appointment[]; count: number } | 'unknown' | null

const maxShown = 5

function useComingAppointments(patientId: string): { coming: Coming; isPending: boolean } {
  const { data, error, isPending } = useQuery(
    patientAppointmentsQuery({ patientId, period: 'upcoming', pageSize: 100 }),
  )
  const now = useNow(60_000)
  if (error) return { coming: 'unknown', isPending: false }
  if (!data) return { coming: null, isPending }
  const future = data.items.filter(({ appointmentDate }) => Date.parse(appointmentDate) > now.getTime())
  const inProgress = data.items.length - future.length
  return { coming: { shown: future.slice(0, maxShown), count: data.total - inProgress }, isPending: false }
}

function ComingAppointments({ coming }: { coming: Coming }) {
  const styles = useStyles()
  if (coming === 'unknown') return <Text>All coming appointments of this patient are cancelled.</Text>
  if (!coming) return <Text>Looking for coming appointments...</Text>
  const { shown, count } = coming
  if (count === 0) return null
  return (
    <div>
      <Text weight="semibold">
        {count === 1 ? 'This cancels the coming appointment:' : `This cancels ${count} coming appointments:`}
      </Text>
      <ul className={styles.list}>
        {shown.map(({ id, localDate, localTime, type }) => (
          <li key={id}>
            {formatDate(localDate)}, {formatTime(localTime)}, {appointmentTypeLabels[type]}
          </li>
        ))}
        {count > shown.length && <li>and {count - shown.length} more</li>}
      </ul>
    </div>
  )
}
