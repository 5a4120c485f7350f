import { formatName } from '#web/ui/format.ts'
import { formatTime } from '#web/ui/dates.ts'
import { Checkbox, Text } from '@fluentui/react-components'
import { useState } from 'react'
import type { Appointment } from '#contracts/appointments.ts'
import { errorMessage } from '#web/api/call.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { useNotify } from '#web/ui/toasts.tsx'
import { useUpdateAppointment } from '#web/entities/appointments/update-appointment.ts'
import { useCancelAppointment } from '../api.ts'
import { formatLongDate } from '../calendar-dates.ts'
import { SeriesScopeField } from '../series/series-scope-field.tsx'
import { useCancelSeries } from '../series/series-api.ts'
import type { ChangeScope } from '../series/series-scope.ts'

type CancelAppointmentDialogProps = {
  appointment: Appointment
  now: Date
  onClose: () => void
  /** Receives the appointment whose time is free now; null when several were cancelled. */
  onCancelled: (cancelled: Appointment | null) => void
}

/** Confirms a cancellation. The appointment leaves the list, or stays on it, struck through. */
export function CancelAppointmentDialog({ appointment, now, onClose, onCancelled }: CancelAppointmentDialogProps) {
  const notify = useNotify()
  const cancel = useCancelAppointment()
  const change = useUpdateAppointment()
  const isCancelled = appointment.status === 'cancelled'
  const [keepOnDayList, setKeepOnDayList] = useState(false)
  const cancelSeries = useCancelSeries()
  const [scope, setScope] = useState<ChangeScope>('this')
  const [partialFailure, setPartialFailure] = useState<string | null>(null)
  const error = cancel.error ?? change.error ?? cancelSeries.error
  const showFailure = (failure: Error) =>
    notify({ title: 'Failed to cancel appointment', body: errorMessage(failure), intent: 'error' })
  const options = {
    onSuccess: () => {
      notify({ title: 'Appointment cancelled', body: formatName(appointment.patient) })
      onCancelled(appointment)
    },
    onError: showFailure,
  }
  const confirm = () => {
    if (scope !== 'this' && appointment.seriesId) {
      setPartialFailure(null)
      const body = { seriesId: appointment.seriesId, appointmentId: appointment.id, scope, keepOnDayList }
      cancelSeries.mutate(body, {
        onSuccess: ({ cancelled, notCancelled }) => {
          if (notCancelled.length > 0)
            return setPartialFailure(
              `${cancelled.length} are cancelled, ${notCancelled.length} are not. Press the button again to cancel the rest.`,
            )
          notify({
            title: cancelled.length === 1 ? 'Appointment cancelled' : `${cancelled.length} appointments cancelled`,
            body: formatName(appointment.patient),
          })
          onCancelled(null)
        },
        onError: showFailure,
      })
    } else if (keepOnDayList) change.mutate({ appointmentId: appointment.id, body: { status: 'cancelled' } }, options)
    else cancel.mutate(appointment.id, options)
  }
  return (
    <ConfirmDialog
      open
      title={isCancelled ? 'Remove it from the list?' : `Cancel the appointment of ${formatName(appointment.patient)}?`}
      action={isCancelled ? 'Remove from list' : scope === 'this' ? 'Cancel appointment' : 'Cancel these appointments'}
      pendingAction="Cancelling..."
      pending={cancel.isPending || change.isPending || cancelSeries.isPending}
      cancel={isCancelled ? 'Keep it' : scope === 'this' ? 'Keep appointment' : 'Keep them'}
      failure={partialFailure ?? (error ? errorMessage(error) : null)}
      danger
      onConfirm={confirm}
      onCancel={onClose}
    >
      <Text>
        {formatLongDate(appointment.localDate)}, {formatTime(appointment.localTime)}. Its history is kept.
        {!isCancelled && ' The time is free again at once.'}
      </Text>
      {!isCancelled && appointment.seriesId && (
        <SeriesScopeField
          appointment={appointment}
          now={now}
          label="Which appointments to cancel?"
          scope={scope}
          onScope={setScope}
        />
      )}
      {!isCancelled && (
        <Checkbox
          label={
            scope === 'this' ? "Keep it on the day's list, crossed out" : "Keep them on their days' lists, crossed out"
          }
          checked={keepOnDayList}
          onChange={(_, { checked }) => setKeepOnDayList(checked === true)}
        />
      )}
    </ConfirmDialog>
  )
}
