import { Text } from '@fluentui/react-components'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Appointment } from '#contracts/appointments.ts'
import { toLocalDate } from '#contracts/values/calendar.ts'
import { errorMessage } from '#web/api/call.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { formatName } from '#web/ui/format.ts'
import { useNotify } from '#web/ui/toasts.tsx'
import { formatMediumDate } from '../calendar-dates.ts'
import type { SchedulingContext } from '../scheduling-context.ts'
import { bookedEntryQuery, useReturnToWaitlist } from './waitlist-api.ts'

type ReturnToWaitlistDialogProps = {
  context: SchedulingContext
  cancelledAppointment: Appointment
  /** Called with the answer, and at once for an appointment that was not booked from the waitlist. */
  onDone: () => void
}

/** Asks whether the patient of a cancelled appointment that was booked from the waitlist goes back to the same place there. */
export function ReturnToWaitlistDialog({ context, cancelledAppointment, onDone }: ReturnToWaitlistDialogProps) {
  const notify = useNotify()
  const { data: entry, error } = useQuery(bookedEntryQuery(cancelledAppointment.id))
  const bringBack = useReturnToWaitlist()
  const isNone = error !== null || entry === null
  useEffect(() => {
    if (isNone) onDone()
  }, [isNone, onDone])
  if (!entry) return null
  const name = formatName(entry.patient)
  const since = formatMediumDate(toLocalDate(entry.waitingSince, context.timeZone))
  return (
    <ConfirmDialog
      open
      title={`Put ${name} back on the waitlist?`}
      action="Back to the waitlist"
      pendingAction="Saving..."
      cancel="No longer waiting"
      pending={bringBack.isPending}
      failure={bringBack.error && errorMessage(bringBack.error)}
      onConfirm={() =>
        bringBack.mutate(entry.id, {
          onSuccess: () => {
            notify({ title: 'Back on the waitlist', body: `${name}, waiting since ${since}` })
            onDone()
          },
        })
      }
      onCancel={onDone}
    >
      <Text>{`This appointment was booked from the waitlist. ${name} would return to the same place, waiting since ${since}.`}</Text>
    </ConfirmDialog>
  )
}
