import { Checkbox, Text } from '@fluentui/react-components'
import { useState } from 'react'
import type { Appointment } from '#contracts/appointments.ts'
import { errorMessage } from '#web/api/call.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { useNotify } from '#web/ui/toasts.tsx'
import { useCancelAppointment, useUpdateAppointment } from '../api.ts'
import { formatTime } from '../local-time.ts'
import { formatLongDate } from '../calendar-dates.ts'
import { ScopeField } from '../series/series-scope-field.tsx'
import { useCancelSeries } from '../series/series-api.ts'
import type { ChangeScope } from '../series/series-scope.ts'
import { formatName } from '../labels.ts'

type CancelDialogProps = {
  appointment: Appointment
  now: Date
  onClose: () => void
  /** `one` is the appointment whose time is free now; null when several were cancelled. */
  onCancelled: (one: Appointment | null) => void
}

/** Asks before an appointment is cancelled: off the list, or kept on it, struck through. */
export function CancelAppointmentDialog({ appointment, now, onClose, onCancelled }: CancelDialogProps) {
  const notify = useNotify()
  const cancel = useCancelAppointment()
  const change = useUpdateAppointment()
  const listedAlready = appointment.status === 'cancelled'
  const [keepOnDayList, setKeepOnDayList] = useState(false)
  const cancelRow = useCancelSeries()
  const [scope, setScope] = useState<ChangeScope>('this')
  const [partly, setPartly] = useState<string | null>(null)
  const error = cancel.error ?? change.error ?? cancelRow.error
  const failed = (failure: Error) =>
    notify({ title: 'Failed to cancel appointment', body: errorMessage(failure), intent: 'error' })
  const options = {
    onSuccess: () => {
      notify({ title: 'Appointment cancelled', body: formatName(appointment.patient) })
      onCancelled(appointment)
    },
    onError: failed,
  }
  const confirm = () => {
    if (scope !== 'this' && appointment.seriesId) {
      setPartly(null)
      const body = { seriesId: appointment.seriesId, appointmentId: appointment.id, scope, keepOnDayList }
      cancelRow.mutate(body, {
        onSuccess: ({ cancelled, notCancelled }) => {
          if (notCancelled.length > 0)
            return setPartly(
              `${cancelled.length} are cancelled, ${notCancelled.length} are not. Press the button again for those.`,
            )
          notify({
            title: cancelled.length === 1 ? 'Appointment cancelled' : `${cancelled.length} appointments cancelled`,
            body: formatName(appointment.patient),
          })
          onCancelled(null)
        },
        onError: failed,
      })
    } else if (keepOnDayList) change.mutate({ appointmentId: appointment.id, body: { status: 'cancelled' } }, options)
    else cancel.mutate(appointment.id, options)
  }
  return (
    <ConfirmDialog
      open
      title={listedAlready ? 'Take it off the list?' : `Cancel the appointment of ${formatName(appointment.patient)}?`}
      action={
        listedAlready ? 'Take off the list' : scope === 'this' ? 'Cancel appointment' : 'Cancel these appointments'
      }
      pendingAction="Cancelling..."
      pending={cancel.isPending || change.isPending || cancelRow.isPending}
      cancel={listedAlready ? 'Leave it' : scope === 'this' ? 'Keep appointment' : 'Keep them'}
      failure={partly ?? (error ? errorMessage(error) : null)}
      danger
      onConfirm={confirm}
      onCancel={onClose}
    >
      <Text>
        {formatLongDate(appointment.localDate)}, {formatTime(appointment.localTime)}. Its history is kept.
        {!listedAlready && ' The time is free again at once.'}
      </Text>
      {!listedAlready && appointment.seriesId && (
        <ScopeField
          appointment={appointment}
          now={now}
          label="Which appointments to cancel?"
          scope={scope}
          onScope={setScope}
        />
      )}
      {!listedAlready && (
        <Checkbox
          label={
            scope === 'this'
              ? "Keep it on the day's list, struck through"
              : "Keep them on their days' lists, struck through"
          }
          checked={keepOnDayList}
          onChange={(_, { checked }) => setKeepOnDayList(checked === true)}
        />
      )}
    </ConfirmDialog>
  )
}
