import { useEffect, useRef } from 'react'
import type { Appointment } from '#contracts/appointments.ts'
import type { WaitlistEntry } from '#contracts/waitlist.ts'
import { AddProviderDialog } from '#web/entities/providers/provider-dialog.tsx'
import { bookAgain, bookEntry } from '../booking/book-again.ts'
import { AppointmentDetails } from '../booking/appointment-details.tsx'
import { BookDialog } from '../booking/book-dialog.tsx'
import { CancelAppointmentDialog } from '../booking/cancel-appointment-dialog.tsx'
import { EditAppointmentDialog } from '../booking/edit-appointment-dialog.tsx'
import { UnbookedDialog } from '../booking/unbooked-dialog.tsx'
import type { BookingPrefill, UnbookedAppointments } from '../booking/booking-prefill.ts'
import { MoveDialog } from '../day/move-dialog.tsx'
import type { RejectedMove } from '../day/move-refusal.ts'
import { useMoveAppointment } from '../day/use-move-appointment.ts'
import { dayHeadingId } from './day-bar.tsx'
import type { SchedulingContext } from '../scheduling-context.ts'
import { type PartialSeriesChange, PartialSeriesDialog } from '../series/partial-series-dialog.tsx'
import { type SeriesMove, SeriesScopeDialog } from '../series/series-scope-dialog.tsx'
import { EditEntryDialog } from '../waitlist/edit-entry-dialog.tsx'
import { EntryDialog } from '../waitlist/entry-dialog.tsx'
import { ReturnToWaitlistDialog } from '../waitlist/return-to-waitlist-dialog.tsx'
import { SlotFreedDialog } from '../waitlist/slot-freed-dialog.tsx'
import { WaitlistDialog } from '../waitlist/waitlist-dialog.tsx'

type BookingRequest = {
  dialog: 'book'
  date: string
  time: string | undefined
  providerId: string
  prefill?: BookingPrefill
  /** Dialog that opens when this one closes. */
  next?: ScheduleDialog
}

/** The dialog that is open over the schedule. */
export type ScheduleDialog =
  | BookingRequest
  | { dialog: 'details'; appointment: Appointment }
  | { dialog: 'edit'; appointmentId: string }
  | { dialog: 'cancel'; appointment: Appointment }
  | { dialog: 'move'; rejected: RejectedMove }
  | { dialog: 'series-scope'; move: SeriesMove }
  | { dialog: 'partial-series'; partial: PartialSeriesChange }
  | { dialog: 'unbooked'; unbooked: UnbookedAppointments }
  | { dialog: 'provider' }
  /** `appointment`: one that its patient wants earlier. */
  | { dialog: 'waitlist'; appointment?: Appointment }
  | { dialog: 'waitlist-entry'; entry: WaitlistEntry }
  | { dialog: 'waitlist-edit'; entry: WaitlistEntry }
  | { dialog: 'slot-freed'; appointment: Appointment }
  /** `isOffered`: the slot of the cancelled appointment is offered to the waitlist next. */
  | { dialog: 'return-to-waitlist'; appointment: Appointment; isOffered: boolean }
  | null

type ScheduleDialogsProps = {
  context: SchedulingContext
  dialog: ScheduleDialog
  /** Appointments as they are now, so that open details stay up to date. */
  appointments: readonly Appointment[]
  onOpen: (dialog: ScheduleDialog) => void
  onDate: (date: string) => void
}

/** Renders the open dialog, if any. */
export function ScheduleDialogs(props: ScheduleDialogsProps) {
  const { context, dialog, onOpen } = props
  const moveAppointment = useMoveAppointment((rejected) => onOpen({ dialog: 'move', rejected }))
  const close = () => onOpen(null)
  if (!dialog) return null
  switch (dialog.dialog) {
    case 'book':
    case 'unbooked':
      return <BookingDialog {...props} dialog={dialog} />
    case 'details':
    case 'edit':
    case 'cancel':
      return <AppointmentDialog {...props} dialog={dialog} />
    case 'move':
      return <MoveDialog context={context} rejected={dialog.rejected} onOpen={onOpen} />
    case 'series-scope':
      return (
        <SeriesScopeDialog
          context={context}
          move={dialog.move}
          onMoveOne={async () => {
            close()
            await moveAppointment(dialog.move.appointment, dialog.move.to)
          }}
          onPartialChange={(partial) => onOpen({ dialog: 'partial-series', partial })}
          onClose={close}
        />
      )
    case 'partial-series':
      return <PartialSeriesDialog zone={context.timeZone} partial={dialog.partial} onClose={close} />
    case 'waitlist':
      return <WaitlistDialog context={context} appointment={dialog.appointment} onClose={close} />
    case 'waitlist-entry':
      return (
        <EntryDialog
          context={context}
          entry={dialog.entry}
          onEdit={(entry) => onOpen({ dialog: 'waitlist-edit', entry })}
          onBook={(entry) => onOpen(toBooking(entry, context))}
          onClose={close}
        />
      )
    case 'waitlist-edit':
      return <EditEntryDialog context={context} entry={dialog.entry} onClose={close} />
    case 'return-to-waitlist': {
      const { appointment, isOffered } = dialog
      return (
        <ReturnToWaitlistDialog
          context={context}
          cancelledAppointment={appointment}
          onDone={() => onOpen(isOffered ? { dialog: 'slot-freed', appointment } : null)}
        />
      )
    }
    case 'slot-freed':
      return <SlotFreedDialog context={context} freedAppointment={dialog.appointment} onClose={close} />
    case 'provider':
      return <AddProviderDialog onClose={close} onAdded={close} />
  }
}

/** Returns the booking for an entry of the waitlist: of a new appointment, or the move of the one that the patient has. */
function toBooking(entry: WaitlistEntry, context: SchedulingContext): ScheduleDialog {
  if (entry.appointmentId !== null) return { dialog: 'edit', appointmentId: entry.appointmentId }
  return { dialog: 'book', ...bookEntry(entry, context) }
}

type DialogOf<Kind> = Extract<ScheduleDialog, { dialog: Kind }>
type PartProps<Kind> = Omit<ScheduleDialogsProps, 'dialog'> & { dialog: DialogOf<Kind> }

/** A booking, or the list of the appointments in a series that could not be booked. */
function BookingDialog({ context, dialog, onOpen, onDate }: PartProps<'book' | 'unbooked'>) {
  if (dialog.dialog === 'book')
    return (
      <BookDialog
        context={context}
        {...dialog}
        onClose={() => onOpen(dialog.next ?? null)}
        onBooked={onDate}
        onUnbooked={(unbooked) => onOpen({ dialog: 'unbooked', unbooked })}
      />
    )
  const { unbooked } = dialog
  const { prefill, providerId, unbookedTimes } = unbooked
  return (
    <UnbookedDialog
      unbooked={unbooked}
      onClose={() => onOpen(null)}
      onBook={(date, time) => {
        const others = unbookedTimes.filter((unbooked) => unbooked.date !== date || unbooked.time !== time)
        const next: ScheduleDialog =
          others.length > 0 ? { dialog: 'unbooked', unbooked: { ...unbooked, unbookedTimes: others } } : null
        onOpen({ dialog: 'book', date, time, providerId, prefill, next })
      }}
    />
  )
}

/** Details, edit or cancellation of one appointment. */
function AppointmentDialog(props: PartProps<'details' | 'edit' | 'cancel'>) {
  const { context, dialog, appointments, onOpen, onDate } = props
  const close = () => onOpen(null)
  if (dialog.dialog === 'edit')
    return (
      <EditAppointmentDialog
        context={context}
        appointmentId={dialog.appointmentId}
        onClose={close}
        onPartialChange={(partial) => onOpen({ dialog: 'partial-series', partial })}
      />
    )
  if (dialog.dialog === 'cancel') return <CancellationDialog {...props} dialog={dialog} />
  const appointment = appointments
    .filter(({ id }) => id === dialog.appointment.id)
    .reduce((latest, shown) => (shown.revision > latest.revision ? shown : latest), dialog.appointment)
  return (
    <AppointmentDetails
      context={context}
      appointment={appointment}
      onEdit={() => onOpen({ dialog: 'edit', appointmentId: appointment.id })}
      onBookAgain={() => onOpen({ dialog: 'book', ...bookAgain(appointment, context) })}
      onWaitlist={(entry) => onOpen(entry ? { dialog: 'waitlist-entry', entry } : { dialog: 'waitlist', appointment })}
      onAppointment={(other) => {
        onDate(other.localDate)
        onOpen({ dialog: 'details', appointment: other })
      }}
      onClose={close}
    />
  )
}

/** Cancellation of an appointment, followed by an offer of its time to the waitlist. */
function CancellationDialog({ context, dialog, onOpen }: PartProps<'cancel'>) {
  const isCancelled = useRef(false)
  useEffect(
    () => () => {
      // A neighbouring appointment would get the focus otherwise, and a repeated Enter would open it.
      if (isCancelled.current) document.getElementById(dayHeadingId)?.focus({ preventScroll: true })
    },
    [],
  )
  return (
    <CancelAppointmentDialog
      appointment={dialog.appointment}
      now={context.now}
      onClose={() => onOpen(null)}
      onCancelled={(cancelled) => {
        isCancelled.current = true
        if (!cancelled) return onOpen(null)
        const isOffered = freesSlot(cancelled, context.now)
        // A patient who has died waits for no other appointment.
        if (!cancelled.patientDeceased) onOpen({ dialog: 'return-to-waitlist', appointment: cancelled, isOffered })
        else onOpen(isOffered ? { dialog: 'slot-freed', appointment: cancelled } : null)
      }}
    />
  )
}

/** Returns whether a cancellation leaves a future slot for a patient on the waitlist. */
const freesSlot = ({ status, appointmentDate }: Appointment, now: Date) =>
  status !== 'cancelled' && Date.parse(appointmentDate) > now.getTime()
