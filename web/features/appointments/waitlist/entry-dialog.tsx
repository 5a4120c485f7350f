import { Button } from '@fluentui/react-components'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { WaitlistEntry } from '#contracts/waitlist.ts'
import { toLocalDateTime } from '#contracts/values/calendar.ts'
import { AppointmentTypeLabel } from '#web/entities/appointments/appointment-type-label.tsx'
import { formatTime } from '#web/ui/dates.ts'
import { DialogFrame } from '#web/ui/dialog-frame.tsx'
import { formatName } from '#web/ui/format.ts'
import { useLinkStyles } from '#web/ui/link-styles.ts'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { formatLongDate, formatMediumDate } from '../calendar-dates.ts'
import { DetailList, DetailPair } from '../detail-list.tsx'
import type { SchedulingContext } from '../scheduling-context.ts'
import { describeDays, describeWantedProvider } from './describe-entry.ts'
import { useRemoveEntry } from './use-remove-entry.ts'
import { freshWaitlistMs, waitlistQuery } from './waitlist-api.ts'

type EntryDialogProps = {
  context: SchedulingContext
  entry: WaitlistEntry
  onEdit: (entry: WaitlistEntry) => void
  /** Books for the entry, or moves the appointment that the patient has. */
  onBook: (entry: WaitlistEntry) => void
  onClose: () => void
}

/** Details of one entry of the waitlist, with booking, changing and removing it. */
export function EntryDialog({ context, entry: opened, onEdit, onBook, onClose }: EntryDialogProps) {
  const { data } = useQuery({ ...waitlistQuery, staleTime: freshWaitlistMs })
  const entry = data?.find(({ id }) => id === opened.id) ?? opened
  const { remove, isPending } = useRemoveEntry()
  const canBook = !entry.isOver && !entry.patientDeceased
  return (
    <DialogFrame
      title="Waitlist Entry"
      closeLabel="Close"
      pending={isPending}
      actions={
        <>
          <Button disabledFocusable={isPending} onClick={() => remove(entry, onClose)}>
            Remove
          </Button>
          <Button disabledFocusable={isPending} onClick={() => onEdit(entry)}>
            Edit
          </Button>
          {canBook && (
            <Button appearance="primary" disabledFocusable={isPending} onClick={() => onBook(entry)}>
              {entry.appointmentId === null ? 'Book' : 'Move appointment'}
            </Button>
          )}
        </>
      }
      onClose={onClose}
    >
      <EntryDetails context={context} entry={entry} onClose={onClose} />
    </DialogFrame>
  )
}

type EntryDetailsProps = Pick<EntryDialogProps, 'context' | 'entry' | 'onClose'>

function EntryDetails({ context, entry, onClose }: EntryDetailsProps) {
  const styles = useLinkStyles()
  const { timeZone } = context
  const own = entry.appointmentDate === null ? null : toLocalDateTime(entry.appointmentDate, timeZone)
  return (
    <DetailList>
      <DetailPair term="Patient">
        <Link
          to="/patients/$patientId"
          params={{ patientId: entry.patientId }}
          className={styles.link}
          onClick={onClose}
        >
          {formatName(entry.patient)}
        </Link>{' '}
        {entry.patientDeceased && <StatusBadge status="deceased" />}
      </DetailPair>
      <DetailPair term="Waits for">
        {own ? `An earlier time than ${formatLongDate(own.date)}, ${formatTime(own.time)}` : 'A new appointment'}
      </DetailPair>
      <DetailPair term="Type">
        <AppointmentTypeLabel type={entry.type} />
      </DetailPair>
      <DetailPair term="Duration">{`${entry.duration} minutes`}</DetailPair>
      <DetailPair term="Provider">
        {entry.providerId === null ? 'Any provider' : describeWantedProvider(context, entry.providerId)}
      </DetailPair>
      <DetailPair term="Days">
        {describeDays(entry) ?? 'Any day'} {entry.isOver && <StatusBadge status="expired" label="Over" />}
      </DetailPair>
      <DetailPair term="Waiting since">
        {formatMediumDate(toLocalDateTime(entry.waitingSince, timeZone).date)}
      </DetailPair>
      <DetailPair term="Notes">{entry.notes}</DetailPair>
    </DetailList>
  )
}
