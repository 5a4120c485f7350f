import { formatName } from '#web/ui/format.ts'
import { toLocalDateTime } from '#contracts/values/calendar.ts'
import { formatTime } from '#web/ui/dates.ts'
import type { Appointment, SlotTaken } from '#contracts/appointments.ts'
import { errorMessage } from '#web/api/call.ts'
import { useNotify } from '#web/ui/toasts.tsx'
import { DialogFrame } from '#web/ui/dialog-frame.tsx'
import { useFocusReturn } from '#web/ui/use-focus-return.ts'
import { useUpdateAppointment } from '../api.ts'
import { parseSlotTaken } from '../booking/appointment-form.ts'
import type { SchedulingContext } from '../scheduling-context.ts'
import { SlotTakenNotice } from '../booking/slot-taken-notice.tsx'

/** A move that the server refused because another appointment has the slot. */
export type RejectedMove = {
  appointment: Appointment
  date: string
  time: string
  duration: number
  providerId: string
  slot: SlotTaken
}

type MoveDialogProps = {
  context: SchedulingContext
  rejected: RejectedMove
  /** Opens the dialog for another refusal; null closes it. */
  onOpen: (dialog: { dialog: 'move'; rejected: RejectedMove } | null) => void
}

type MoveTarget = { date: string; time: string; allowOverlap: boolean }

/** Asks what to do after a refused move: choose a free slot, accept the overlap, or leave the appointment. */
export function MoveDialog({ context, rejected, onOpen }: MoveDialogProps) {
  useFocusReturn()
  const notify = useNotify()
  const update = useUpdateAppointment()
  const { appointment, date, time, duration, providerId, slot } = rejected
  const close = () => onOpen(null)
  const move = (to: MoveTarget) =>
    update.mutate(
      {
        appointmentId: appointment.id,
        body: { appointmentDate: `${to.date}T${to.time}`, duration, providerId, allowOverlap: to.allowOverlap },
      },
      {
        onSuccess: () => {
          notify({ title: 'Appointment updated', body: formatName(appointment.patient) })
          close()
        },
        onError: (error) => {
          const taken = parseSlotTaken(error)
          if (taken)
            onOpen({
              dialog: 'move',
              rejected: { ...rejected, date: to.date, time: to.time, slot: taken },
            })
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
        onChoose={({ localDate, localTime }) => move({ date: localDate, time: localTime, allowOverlap: false })}
        onOverlap={() => move({ date, time, allowOverlap: true })}
      />
    </DialogFrame>
  )
}
