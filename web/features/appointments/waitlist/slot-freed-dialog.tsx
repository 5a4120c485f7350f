import { formatName } from '#web/ui/format.ts'
import { toLocalDateTime } from '#contracts/values/calendar.ts'
import { formatTime } from '#web/ui/dates.ts'
import { Button, makeStyles, Text } from '@fluentui/react-components'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Appointment } from '#contracts/appointments.ts'
import type { WaitlistEntry } from '#contracts/waitlist.ts'
import { errorMessage } from '#web/api/call.ts'
import { DialogFrame } from '#web/ui/dialog-frame.tsx'
import { useNotify } from '#web/ui/toasts.tsx'
import { TwoLineCell } from '#web/ui/text.tsx'
import { useUpdateAppointment } from '#web/entities/appointments/update-appointment.ts'
import { useBookAppointment } from '../api.ts'
import { ConfirmNotice } from '../booking/confirm-notice.tsx'
import { useConfirmation } from '../booking/use-confirmation.ts'
import { formatRelativeDay, formatMediumDate } from '../calendar-dates.ts'
import type { SchedulingContext } from '../scheduling-context.ts'
import { waitlistCandidatesQuery } from './waitlist-api.ts'
import { describeWishes } from './describe-entry.ts'
import { waitlistKeys } from './waitlist-keys.ts'

const useStyles = makeStyles({
  list: { listStyleType: 'none', margin: '12px 0 0', padding: 0, display: 'grid', rowGap: '10px' },
  entry: { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr) auto', columnGap: '12px', alignItems: 'center' },
})

type SlotFreedDialogProps = { context: SchedulingContext; freedAppointment: Appointment; onClose: () => void }

/** Describes what a patient waits for, and the notes about it. */
function describeCandidate(entry: WaitlistEntry, context: SchedulingContext): string {
  const since = formatMediumDate(toLocalDateTime(entry.waitingSince, context.timeZone).date)
  const wishes = `${describeWishes(entry, context)}, ${entry.duration} min, waiting since ${since}`
  return entry.notes ? `${wishes}. ${entry.notes}` : wishes
}

/** Offers a freed slot to the three best matches on the waitlist. Closes at once when there are none. */
export function SlotFreedDialog({ context, freedAppointment, onClose }: SlotFreedDialogProps) {
  const styles = useStyles()
  const notify = useNotify()
  const queries = useQueryClient()
  const { data: candidates, error } = useQuery(waitlistCandidatesQuery(freedAppointment))
  // Its own patient, who may have returned to the waitlist, has just cancelled it.
  const data = candidates?.filter(({ patientId }) => patientId !== freedAppointment.patientId)
  const book = useBookAppointment()
  const change = useUpdateAppointment()
  const [asked, setAsked] = useState<WaitlistEntry | null>(null)
  const confirmation = useConfirmation(asked?.id ?? '')
  const pending = book.isPending || change.isPending
  // A second Enter can arrive before the pending state is rendered.
  const isSending = useRef(false)
  const isEmpty = error !== null || data?.length === 0
  useEffect(() => {
    if (isEmpty) onClose()
  }, [isEmpty, onClose])
  if (!data || isEmpty) return null

  const { question } = confirmation
  const optionsFor = (entry: WaitlistEntry) => ({
    onSuccess: (appointment: Appointment) => {
      notify({
        title: 'Appointment scheduled',
        body: `${formatName(appointment.patient)}, ${formatTime(appointment.localTime)}`,
      })
      void queries.invalidateQueries({ queryKey: waitlistKeys.all })
      onClose()
    },
    onSettled: () => {
      isSending.current = false
    },
    onError: (failure: Error) => {
      setAsked(entry)
      if (!confirmation.recordQuestion(failure, entry.id, false))
        notify({ title: 'Failed to schedule appointment', body: errorMessage(failure), intent: 'error' })
    },
  })
  const bookEntry = (entry: WaitlistEntry) => {
    if (isSending.current) return
    isSending.current = true
    const { id, patientId, appointmentId, type, duration } = entry
    const options = optionsFor(entry)
    const slot = {
      providerId: freedAppointment.providerId,
      appointmentDate: freedAppointment.appointmentDate,
      waitlistEntryId: id,
      confirmed: confirmation.getConfirmed(id),
    }
    // A later appointment of the patient is moved; a second one is not what the entry asks for.
    if (appointmentId) change.mutate({ appointmentId, body: slot }, options)
    else book.mutate({ ...slot, patientId, type, duration }, options)
  }
  return (
    <DialogFrame
      title={`${formatRelativeDay(freedAppointment.localDate, context.today)}, ${formatTime(freedAppointment.localTime)} is free now`}
      focusTitle
      pending={pending}
      closeLabel="Leave it free"
      onClose={onClose}
    >
      <Text>These patients want an earlier appointment. Call them first: no message is sent.</Text>
      <ul className={styles.list}>
        {data.map((entry) => (
          <li key={entry.id} className={styles.entry}>
            <TwoLineCell strong wrap top={formatName(entry.patient)} bottom={describeCandidate(entry, context)} />
            <Button
              disabledFocusable={pending}
              aria-label={`Book ${formatName(entry.patient)}`}
              onClick={() => bookEntry(entry)}
            >
              Book
            </Button>
          </li>
        ))}
      </ul>
      {question && asked && (
        <ConfirmNotice
          concerns={question.concerns}
          patientName={formatName(asked.patient)}
          zone={context.timeZone}
          confirmLabel="Book anyway"
          pending={pending}
          onConfirm={() => {
            confirmation.accept(question)
            bookEntry(asked)
          }}
        />
      )}
    </DialogFrame>
  )
}
