import { Checkbox, Text } from '@fluentui/react-components'
import { useState } from 'react'
import type { Appointment } from '#contracts/appointments.ts'
import { wordsOf } from '#web/app/call.ts'
import { ConfirmDialog } from '#web/app/confirm-dialog.tsx'
import { useNotify } from '#web/app/toasts.tsx'
import { useCancelVisit, useChangeVisit } from './api.ts'
import { clock } from './clock.ts'
import { longDay } from './days.ts'
import { nameOf } from './words.ts'

type CancelDialogProps = { visit: Appointment; onClose: () => void; onCancelled: (visit: Appointment) => void }

/** Asks before a visit is cancelled: off the list, or kept on it, struck through. */
export function CancelDialog({ visit, onClose, onCancelled }: CancelDialogProps) {
  const notify = useNotify()
  const cancel = useCancelVisit()
  const change = useChangeVisit()
  const listedAlready = visit.status === 'cancelled'
  const [listed, setListed] = useState(false)
  const error = cancel.error ?? change.error
  const options = {
    onSuccess: () => {
      notify({ title: 'Appointment cancelled', body: nameOf(visit.patient) })
      onCancelled(visit)
    },
    onError: (failure: Error) =>
      notify({ title: 'Failed to cancel appointment', body: wordsOf(failure), intent: 'error' }),
  }
  const confirm = () => {
    if (listed) change.mutate({ appointmentId: visit.id, body: { status: 'cancelled' } }, options)
    else cancel.mutate(visit.id, options)
  }
  return (
    <ConfirmDialog
      open
      title={listedAlready ? 'Take it off the list?' : `Cancel the appointment of ${nameOf(visit.patient)}?`}
      action={listedAlready ? 'Take off the list' : 'Cancel appointment'}
      pendingAction="Cancelling..."
      pending={cancel.isPending || change.isPending}
      cancel={listedAlready ? 'Leave it' : 'Keep appointment'}
      failure={error ? wordsOf(error) : null}
      danger
      onConfirm={confirm}
      onCancel={onClose}
    >
      <Text>
        {longDay(visit.localDate)}, {clock(visit.localTime)}. Its history is kept.
        {!listedAlready && ' The time is free again at once.'}
      </Text>
      {!listedAlready && (
        <Checkbox
          label="Keep it on the day's list, struck through"
          checked={listed}
          onChange={(_, { checked }) => setListed(checked === true)}
        />
      )}
    </ConfirmDialog>
  )
}
