import type { Appointment } from '#contracts/appointments.ts'
import { errorMessage } from '#web/api/call.ts'
import { useNotify } from '#web/ui/toasts.tsx'
import { AddProviderDialog } from '#web/entities/providers/provider-dialog.tsx'
import { useUpdateAppointment } from '../api.ts'
import { BookDialog, type BookingPrefill, type UnbookedAppointments } from '../booking/book-dialog.tsx'
import { CancelAppointmentDialog } from '../booking/cancel-appointment-dialog.tsx'
import type { SchedulingContext } from '../scheduling-context.ts'
import { EditAppointmentDialog } from '../booking/edit-appointment-dialog.tsx'
import { SlotFreedDialog } from '../waitlist/slot-freed-dialog.tsx'
import { PartialSeriesDialog, type PartialSeriesChange } from '../series/partial-series-dialog.tsx'
import { UnbookedDialog } from '../booking/unbooked-dialog.tsx'
import { MoveDialog, type RejectedMove } from '../day/move-dialog.tsx'
import { type SeriesMove, SeriesScopeDialog } from '../series/series-scope-dialog.tsx'
import { useMoveAppointment } from '../day/use-move-appointment.ts'
import { AppointmentDetails } from '../booking/appointment-details.tsx'
import { parseSlotTaken } from '../booking/appointment-form.ts'
import { WaitlistDialog } from '../waitlist/waitlist-dialog.tsx'
import { formatName } from '../labels.ts'

/** What is open over the schedule. */
export type ScheduleDialog =
  | {
      dialog: 'book'
      date: string
      time: string | undefined
      providerId: string
      given?: BookingPrefill
      after?: ScheduleDialog
    }
  | { dialog: 'details'; appointment: Appointment }
  | { dialog: 'edit'; appointmentId: string }
  | { dialog: 'cancel'; appointment: Appointment }
  | { dialog: 'move'; refused: RejectedMove }
  | { dialog: 'scope'; asked: SeriesMove }
  | { dialog: 'left'; left: PartialSeriesChange }
  | { dialog: 'missing'; missing: UnbookedAppointments }
  | { dialog: 'provider' }
  | { dialog: 'waitlist' }
  | { dialog: 'freed'; appointment: Appointment }
  | null

type ScheduleDialogsProps = {
  desk: SchedulingContext
  opened: ScheduleDialog
  /** The appointments on screen, so that an open one stays true. */
  appointments: readonly Appointment[]
  onOpen: (opened: ScheduleDialog) => void
  onBooked: (date: string) => void
}

/** The one dialog that is open, if any. */
export function ScheduleDialogs({ desk, opened, appointments, onOpen, onBooked }: ScheduleDialogsProps) {
  const notify = useNotify()
  const change = useUpdateAppointment()
  const placeAppointment = useMoveAppointment((refused) => onOpen({ dialog: 'move', refused }))
  const close = () => onOpen(null)
  // A time that was taken and is still to come may suit somebody who waits.
  const freed = (appointment: Appointment) =>
    onOpen(
      appointment.status !== 'cancelled' && Date.parse(appointment.appointmentDate) > desk.now.getTime()
        ? { dialog: 'freed', appointment }
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
      const { prefill: given, providerId, unbookedTimes: times } = missing
      return (
        <UnbookedDialog
          missing={missing}
          onClose={close}
          onBook={(date, time) => {
            const others = times.filter((each) => each.date !== date || each.time !== time)
            const after: ScheduleDialog =
              others.length > 0 ? { dialog: 'missing', missing: { ...missing, unbookedTimes: others } } : null
            onOpen({ dialog: 'book', date, time, providerId, given, after })
          }}
        />
      )
    }
    case 'scope': {
      const { appointment, to } = opened.asked
      return (
        <SeriesScopeDialog
          desk={desk}
          asked={opened.asked}
          onOne={async () => {
            close()
            await placeAppointment(appointment, to)
          }}
          onLeft={(left) => onOpen({ dialog: 'left', left })}
          onClose={close}
        />
      )
    }
    case 'left':
      return <PartialSeriesDialog zone={desk.timeZone} left={opened.left} onClose={close} />
    case 'details': {
      const appointment = appointments.find(({ id }) => id === opened.appointment.id) ?? opened.appointment
      return (
        <AppointmentDetails
          desk={desk}
          appointment={appointment}
          onEdit={() => onOpen({ dialog: 'edit', appointmentId: appointment.id })}
          onAppointment={(other) => {
            onBooked(other.localDate)
            onOpen({ dialog: 'details', appointment: other })
          }}
          onClose={close}
        />
      )
    }
    case 'edit':
      return (
        <EditAppointmentDialog
          desk={desk}
          appointmentId={opened.appointmentId}
          onClose={close}
          onLeft={(left) => onOpen({ dialog: 'left', left })}
        />
      )
    case 'cancel':
      return (
        <CancelAppointmentDialog
          appointment={opened.appointment}
          now={desk.now}
          onClose={close}
          onCancelled={(one) => (one ? freed(one) : close())}
        />
      )
    case 'waitlist':
      return <WaitlistDialog desk={desk} onClose={close} />
    case 'freed':
      return <SlotFreedDialog desk={desk} freed={opened.appointment} onClose={close} />
    case 'provider':
      return <AddProviderDialog onClose={close} onAdded={close} />
    case 'move': {
      const { appointment, duration, providerId } = opened.refused
      return (
        <MoveDialog
          desk={desk}
          refused={opened.refused}
          pending={change.isPending}
          onClose={close}
          onMove={({ date, time, allowOverlap }) =>
            change.mutate(
              {
                appointmentId: appointment.id,
                body: { appointmentDate: `${date}T${time}`, duration, providerId, allowOverlap },
              },
              {
                onSuccess: () => {
                  notify({ title: 'Appointment updated', body: formatName(appointment.patient) })
                  close()
                },
                onError: (error) => {
                  const slot = parseSlotTaken(error)
                  if (slot) onOpen({ dialog: 'move', refused: { appointment, date, time, duration, providerId, slot } })
                  else notify({ title: 'Failed to update appointment', body: errorMessage(error), intent: 'error' })
                },
              },
            )
          }
        />
      )
    }
  }
}
