import type { Appointment } from '#contracts/appointments.ts'
import { wordsOf } from '#web/app/call.ts'
import { useNotify } from '#web/app/toasts.tsx'
import { AddProviderDialog } from '#web/app/provider-dialog.tsx'
import { useChangeVisit } from './api.ts'
import { BookDialog } from './book-dialog.tsx'
import { CancelDialog } from './cancel-dialog.tsx'
import type { Desk } from './desk.ts'
import { EditDialog } from './edit-dialog.tsx'
import { FreedDialog } from './freed-dialog.tsx'
import { MoveDialog, type RefusedMove } from './move-dialog.tsx'
import { VisitDetails } from './visit-details.tsx'
import { slotTakenOf } from './visit-form.ts'
import { WaitlistDialog } from './waitlist-dialog.tsx'
import { nameOf } from './words.ts'

/** What is open over the schedule. */
export type Opened =
  | { dialog: 'book'; date: string; time: string | undefined; providerId: string }
  | { dialog: 'details'; visit: Appointment }
  | { dialog: 'edit'; appointmentId: string }
  | { dialog: 'cancel'; visit: Appointment }
  | { dialog: 'move'; refused: RefusedMove }
  | { dialog: 'provider' }
  | { dialog: 'waitlist' }
  | { dialog: 'freed'; visit: Appointment }
  | null

type ScheduleDialogsProps = {
  desk: Desk
  opened: Opened
  /** The visits on screen, so that an open one stays true. */
  visits: readonly Appointment[]
  onOpen: (opened: Opened) => void
  onBooked: (date: string) => void
}

/** The one dialog that is open, if any. */
export function ScheduleDialogs({ desk, opened, visits, onOpen, onBooked }: ScheduleDialogsProps) {
  const notify = useNotify()
  const change = useChangeVisit()
  const close = () => onOpen(null)
  // A time that was taken and is still to come may suit somebody who waits.
  const freed = (visit: Appointment) =>
    onOpen(
      visit.status !== 'cancelled' && Date.parse(visit.appointmentDate) > desk.now.getTime()
        ? { dialog: 'freed', visit }
        : null,
    )
  if (!opened) return null
  switch (opened.dialog) {
    case 'book':
      return <BookDialog desk={desk} {...opened} onClose={close} onBooked={onBooked} />
    case 'details': {
      const visit = visits.find(({ id }) => id === opened.visit.id) ?? opened.visit
      return (
        <VisitDetails
          desk={desk}
          visit={visit}
          onEdit={() => onOpen({ dialog: 'edit', appointmentId: visit.id })}
          onClose={close}
        />
      )
    }
    case 'edit':
      return <EditDialog desk={desk} appointmentId={opened.appointmentId} onClose={close} />
    case 'cancel':
      return <CancelDialog visit={opened.visit} onClose={close} onCancelled={freed} />
    case 'waitlist':
      return <WaitlistDialog desk={desk} onClose={close} />
    case 'freed':
      return <FreedDialog desk={desk} freed={opened.visit} onClose={close} />
    case 'provider':
      return <AddProviderDialog onClose={close} onAdded={close} />
    case 'move': {
      const { visit, duration } = opened.refused
      return (
        <MoveDialog
          desk={desk}
          refused={opened.refused}
          pending={change.isPending}
          onClose={close}
          onMove={({ date, time, allowOverlap }) =>
            change.mutate(
              { appointmentId: visit.id, body: { appointmentDate: `${date}T${time}`, duration, allowOverlap } },
              {
                onSuccess: () => {
                  notify({ title: 'Appointment updated', body: nameOf(visit.patient) })
                  close()
                },
                onError: (error) => {
                  const slot = slotTakenOf(error)
                  if (slot) onOpen({ dialog: 'move', refused: { visit, date, time, duration, slot } })
                  else notify({ title: 'Failed to update appointment', body: wordsOf(error), intent: 'error' })
                },
              },
            )
          }
        />
      )
    }
  }
}
