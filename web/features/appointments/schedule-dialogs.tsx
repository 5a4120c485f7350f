import type { Appointment } from '#contracts/appointments.ts'
import { wordsOf } from '#web/app/call.ts'
import { useNotify } from '#web/app/toasts.tsx'
import { AddProviderDialog } from '#web/app/provider-dialog.tsx'
import { useChangeVisit } from './api.ts'
import { BookDialog, type GivenVisit, type MissingVisits } from './book-dialog.tsx'
import { CancelDialog } from './cancel-dialog.tsx'
import type { Desk } from './desk.ts'
import { EditDialog } from './edit-dialog.tsx'
import { FreedDialog } from './freed-dialog.tsx'
import { LeftDialog, type LeftVisits } from './left-dialog.tsx'
import { MissingDialog } from './missing-dialog.tsx'
import { MoveDialog, type RefusedMove } from './move-dialog.tsx'
import { type AskedMove, ScopeDialog } from './scope-dialog.tsx'
import { usePlaceVisit } from './use-place-visit.ts'
import { VisitDetails } from './visit-details.tsx'
import { slotTakenOf } from './visit-form.ts'
import { WaitlistDialog } from './waitlist-dialog.tsx'
import { nameOf } from './words.ts'

/** What is open over the schedule. */
export type Opened =
  | { dialog: 'book'; date: string; time: string | undefined; providerId: string; given?: GivenVisit; after?: Opened }
  | { dialog: 'details'; visit: Appointment }
  | { dialog: 'edit'; appointmentId: string }
  | { dialog: 'cancel'; visit: Appointment }
  | { dialog: 'move'; refused: RefusedMove }
  | { dialog: 'scope'; asked: AskedMove }
  | { dialog: 'left'; left: LeftVisits }
  | { dialog: 'missing'; missing: MissingVisits }
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
  const placeVisit = usePlaceVisit((refused) => onOpen({ dialog: 'move', refused }))
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
      return (
        <BookDialog
          desk={desk}
          {...opened}
          onClose={() => onOpen(opened.after ?? null)}
          onBooked={onBooked}
          onMissing={(missing) => onOpen({ dialog: 'missing', missing })}
        />
      )
    case 'missing': {
      const { missing } = opened
      const { given, providerId, times } = missing
      return (
        <MissingDialog
          missing={missing}
          onClose={close}
          onBook={(date, time) => {
            const others = times.filter((each) => each.date !== date || each.time !== time)
            const after: Opened =
              others.length > 0 ? { dialog: 'missing', missing: { ...missing, times: others } } : null
            onOpen({ dialog: 'book', date, time, providerId, given, after })
          }}
        />
      )
    }
    case 'scope': {
      const { visit, to } = opened.asked
      return (
        <ScopeDialog
          desk={desk}
          asked={opened.asked}
          onOne={async () => {
            close()
            await placeVisit(visit, to)
          }}
          onLeft={(left) => onOpen({ dialog: 'left', left })}
          onClose={close}
        />
      )
    }
    case 'left':
      return <LeftDialog zone={desk.zone} left={opened.left} onClose={close} />
    case 'details': {
      const visit = visits.find(({ id }) => id === opened.visit.id) ?? opened.visit
      return (
        <VisitDetails
          desk={desk}
          visit={visit}
          onEdit={() => onOpen({ dialog: 'edit', appointmentId: visit.id })}
          onVisit={(other) => {
            onBooked(other.localDate)
            onOpen({ dialog: 'details', visit: other })
          }}
          onClose={close}
        />
      )
    }
    case 'edit':
      return (
        <EditDialog
          desk={desk}
          appointmentId={opened.appointmentId}
          onClose={close}
          onLeft={(left) => onOpen({ dialog: 'left', left })}
        />
      )
    case 'cancel':
      return (
        <CancelDialog
          visit={opened.visit}
          now={desk.now}
          onClose={close}
          onCancelled={(one) => (one ? freed(one) : close())}
        />
      )
    case 'waitlist':
      return <WaitlistDialog desk={desk} onClose={close} />
    case 'freed':
      return <FreedDialog desk={desk} freed={opened.visit} onClose={close} />
    case 'provider':
      return <AddProviderDialog onClose={close} onAdded={close} />
    case 'move': {
      const { visit, duration, providerId } = opened.refused
      return (
        <MoveDialog
          desk={desk}
          refused={opened.refused}
          pending={change.isPending}
          onClose={close}
          onMove={({ date, time, allowOverlap }) =>
            change.mutate(
              {
                appointmentId: visit.id,
                body: { appointmentDate: `${date}T${time}`, duration, providerId, allowOverlap },
              },
              {
                onSuccess: () => {
                  notify({ title: 'Appointment updated', body: nameOf(visit.patient) })
                  close()
                },
                onError: (error) => {
                  const slot = slotTakenOf(error)
                  if (slot) onOpen({ dialog: 'move', refused: { visit, date, time, duration, providerId, slot } })
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
