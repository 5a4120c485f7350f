import { formatName } from '#web/ui/format.ts'
import { toLocalDateTime } from '#contracts/values/calendar.ts'
import { formatTime } from '#web/ui/dates.ts'
import { errorMessage } from '#web/api/call.ts'
import { useNotify } from '#web/ui/toasts.tsx'
import { DialogFrame } from '#web/ui/dialog-frame.tsx'
import { useUpdateAppointment } from '#web/entities/appointments/update-appointment.ts'
import { ConfirmNotice } from '../booking/confirm-notice.tsx'
import type { SchedulingContext } from '../scheduling-context.ts'
import { SlotTakenNotice } from '../booking/slot-taken-notice.tsx'
import { parseRefusal, type RejectedMove } from './move-refusal.ts'

type MoveDialogProps = {
  context: SchedulingContext
  rejected: RejectedMove
  /** Opens the dialog for another refusal; null closes it. */
  onOpen: (dialog: { dialog: 'move'; rejected: RejectedMove } | null) => void
}

type MoveTarget = Pick<RejectedMove, 'date' | 'time' | 'allowOverlap' | 'confirmed'>

/** Asks what to do after a refused move: choose a free slot, move it anyway, or leave the appointment. */
export function MoveDialog({ context, rejected, onOpen }: MoveDialogProps) {
  const notify = useNotify()
  const update = useUpdateAppointment()
  const { appointment, date, time, duration, providerId, slot, concerns, allowOverlap, confirmed } = rejected
  const close = () => onOpen(null)
  const move = (to: MoveTarget) =>
    update.mutate(
      {
        appointmentId: appointment.id,
        body: {
          appointmentDate: `${to.date}T${to.time}`,
          duration,
          providerId,
          allowOverlap: to.allowOverlap,
          confirmed: [...to.confirmed],
        },
      },
      {
        onSuccess: () => {
          notify({ title: 'Appointment updated', body: formatName(appointment.patient) })
          close()
        },
        onError: (error) => {
          const refusal = parseRefusal(error)
          if (refusal) onOpen({ dialog: 'move', rejected: { ...rejected, ...to, ...refusal } })
          else notify({ title: 'Failed to update appointment', body: errorMessage(error), intent: 'error' })
        },
      },
    )
  return (
    <DialogFrame
      title={`Move ${formatName(appointment.patient)} to ${formatTime(time)}?`}
      modalType="alert"
      pending={update.isPending}
      closeLabel="Discard change"
      onClose={close}
    >
      {concerns && (
        <ConfirmNotice
          concerns={concerns}
          patientName={formatName(appointment.patient)}
          zone={context.timeZone}
          confirmLabel="Move anyway"
          pending={update.isPending}
          onConfirm={() =>
            move({ date, time, allowOverlap, confirmed: [...confirmed, ...concerns.map(({ concern }) => concern)] })
          }
        />
      )}
      {slot && (
        <SlotTakenNotice
          time={time}
          until={toLocalDateTime(slot.conflict.until, context.timeZone).time}
          provider={slot.conflict.providerName}
          patient={slot.conflict.patientName}
          freeSlots={slot.freeSlots}
          today={context.today}
          isRefused={false}
          overlapLabel="Move anyway"
          pending={update.isPending}
          onChoose={({ localDate, localTime }) =>
            move({ date: localDate, time: localTime, allowOverlap: false, confirmed })
          }
          onOverlap={() => move({ date, time, allowOverlap: true, confirmed })}
        />
      )}
    </DialogFrame>
  )
}
