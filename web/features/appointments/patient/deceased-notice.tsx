import { Button, Text } from '@fluentui/react-components'
import { WarningRegular } from '@fluentui/react-icons/svg/warning'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Patient } from '#contracts/patients.ts'
import { errorMessage } from '#web/api/call.ts'
import { patientAppointmentsQuery } from '#web/entities/appointments/patient-appointments.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { formatName } from '#web/ui/format.ts'
import { Notice } from '#web/ui/notice.tsx'
import { useNotify } from '#web/ui/toasts.tsx'
import { useCancelPatientAppointments } from '../api.ts'
import { pageSize } from './page-size.ts'

const countAppointments = (count: number) => (count === 1 ? '1 appointment' : `${count} appointments`)

/** Notice that a patient who has died still has coming appointments, with a button that cancels them; nothing for other patients. */
export function DeceasedNotice({ patient }: { patient: Patient }) {
  const { id: patientId, deceasedOn } = patient
  const isDeceased = deceasedOn !== null
  const [isAsking, setAsking] = useState(false)
  const { data } = useQuery({
    ...patientAppointmentsQuery({ patientId, period: 'upcoming', pageSize }),
    enabled: isDeceased,
  })
  const total = data?.total ?? 0
  if (!isDeceased || total === 0) return null
  return (
    <>
      <Notice
        tone="warning"
        icon={WarningRegular}
        title={`${countAppointments(total)} still booked`}
        actions={<Button onClick={() => setAsking(true)}>{total === 1 ? 'Cancel it' : 'Cancel them all'}</Button>}
      >
        <Text>{`${formatName(patient)} is recorded as deceased.`}</Text>
      </Notice>
      {isAsking && <CancelAllDialog patient={patient} total={total} onClose={() => setAsking(false)} />}
    </>
  )
}

type CancelAllDialogProps = { patient: Patient; total: number; onClose: () => void }

function CancelAllDialog({ patient, total, onClose }: CancelAllDialogProps) {
  const notify = useNotify()
  const cancel = useCancelPatientAppointments()
  const [partialFailure, setPartialFailure] = useState<string | null>(null)
  const confirm = () => {
    setPartialFailure(null)
    cancel.mutate(patient.id, {
      onSuccess: ({ cancelled, notCancelled }) => {
        if (notCancelled.length > 0)
          return setPartialFailure(
            `${cancelled.length} are cancelled, ${notCancelled.length} are not. Press the button again to cancel the rest.`,
          )
        notify({ title: `${countAppointments(cancelled.length)} cancelled`, body: formatName(patient) })
        onClose()
      },
    })
  }
  return (
    <ConfirmDialog
      open
      title={`Cancel ${total === 1 ? 'the coming appointment' : `the ${total} coming appointments`} of ${formatName(patient)}?`}
      action={total === 1 ? 'Cancel appointment' : `Cancel ${total} appointments`}
      pendingAction="Cancelling..."
      pending={cancel.isPending}
      cancel={total === 1 ? 'Keep appointment' : 'Keep them'}
      failure={partialFailure ?? (cancel.error && errorMessage(cancel.error))}
      danger
      onConfirm={confirm}
      onCancel={onClose}
    >
      <Text>The history is kept. The times are free again at once.</Text>
    </ConfirmDialog>
  )
}
