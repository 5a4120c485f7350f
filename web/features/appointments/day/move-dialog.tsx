import { formatName } from '#web/ui/format.ts'
import { toLocalDateTime } from '#contracts/values/calendar.ts'
import { formatTime } from '#web/ui/dates.ts'
import type { Appointment, SlotTaken } from '#contracts/appointments.ts'
import type { BookingConcern } from '#contracts/values/appointments.ts'
import { errorMessage } from '#web/api/call.ts'
import { useNotify } from '#web/ui/toasts.tsx'
import { DialogFrame } from '#web/ui/dialog-frame.tsx'
import { useUpdateAppointment } from '#web/entities/appointments/update-appointment.ts'
import { parseSlotTaken } from '../booking/appointment-form.ts'
import { ConfirmNotice } from '../booking/confirm-notice.tsx'
import { type Concerns, parseConcerns } from '../booking/use-confirmation.ts'
import type { SchedulingContext } from '../scheduling-context.ts'
import { SlotTakenNotice } from '../booking/slot-taken-notice.tsx'

/** A move that the server refused because another appointment has the slot, or because something has to be confirmed. */
export type RejectedMove = {
  appointment: Appointment
  date: string
  time: string
  duration: number
  providerId: string
  /** Exactly one of these is null. */
  slot: SlotTaken | null
  concerns: Concerns | null
  /** The overlap and concerns that the user has accepted so far. */
  allowOverlap: boolean
  confirmed: readonly BookingConcern[]
}

/** Returns why the server refused a move, when the user can decide to move the appointment all the same. */
export function parseRefusal(error: unknown): Pick<RejectedMove, 'slot' | 'concerns'> | null {
  const [slot, concerns] = [parseSlotTaken(error), parseConcerns(error)]
  return slot || concerns ? { slot, concerns } : null
}

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
