import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
} from '@fluentui/react-components'
import type { Appointment, SlotTaken } from '#contracts/appointments.ts'
import { useFocusReturn } from '#web/ui/use-focus-return.ts'
import { formatTime, toLocalDateTime } from '../local-time.ts'
import type { SchedulingContext } from '../scheduling-context.ts'
import { SlotTakenNotice } from '../booking/slot-taken-notice.tsx'
import { formatName } from '../labels.ts'

/** A move that another appointment was in the way of. */
export type RejectedMove = {
  appointment: Appointment
  date: string
  time: string
  duration: number
  providerId: string
  slot: SlotTaken
}

type MoveDialogProps = {
  desk: SchedulingContext
  refused: RejectedMove
  pending: boolean
  onMove: (to: { date: string; time: string; allowOverlap: boolean }) => void
  onClose: () => void
}

/** Asks what to do when an appointment was moved to where another one is: another time, both, or as it was. */
export function MoveDialog({
  desk,
  refused: { appointment, date, time, slot },
  pending,
  onMove,
  onClose,
}: MoveDialogProps) {
  useFocusReturn()
  return (
    <Dialog open modalType="alert" onOpenChange={(_, { open }) => !open && !pending && onClose()}>
      <DialogSurface>
        <DialogBody>
          <DialogTitle>{`Move ${formatName(appointment.patient)} to ${formatTime(time)}?`}</DialogTitle>
          <DialogContent>
            <SlotTakenNotice
              time={time}
              until={toLocalDateTime(desk.timeZone, slot.conflict.until).time}
              provider={slot.conflict.providerName}
              patient={slot.conflict.patientName}
              free={slot.freeSlots}
              today={desk.today}
              refused={false}
              anyway="Move anyway"
              pending={pending}
              onChoose={({ localDate, localTime }) => onMove({ date: localDate, time: localTime, allowOverlap: false })}
              onAnyway={() => onMove({ date, time, allowOverlap: true })}
            />
          </DialogContent>
          <DialogActions>
            <Button onClick={onClose} disabledFocusable={pending}>
              Leave it as it was
            </Button>
          </DialogActions>
        </DialogBody>
      </DialogSurface>
    </Dialog>
  )
}
