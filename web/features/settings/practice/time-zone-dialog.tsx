import { Text } from '@fluentui/react-components'
import { useQuery } from '@tanstack/react-query'
import type { TimeZonePreview } from '#contracts/practice-settings.ts'
import { errorMessage } from '#web/api/call.ts'
import { formatTimeZone } from '#web/entities/practices/format-time-zone.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { formatDate, formatTime } from '#web/ui/dates.ts'
import { formatName, formatNumber } from '#web/ui/format.ts'
import { useListStyles } from '#web/ui/list-styles.ts'
import { SecondaryText, TwoLineCell } from '#web/ui/text.tsx'
import { timeZonePreviewQuery } from '../api.ts'
import { SectionLoading } from '../sections/section-state.tsx'

type TimeZoneDialogProps = {
  practiceId: string
  timeZone: string
  onConfirm: () => void
  onCancel: () => void
}

/** Shows what a change of the practice's time zone moves, and asks for confirmation. */
export function TimeZoneDialog({ practiceId, timeZone, onConfirm, onCancel }: TimeZoneDialogProps) {
  const { data: preview, error, refetch } = useQuery(timeZonePreviewQuery(practiceId, timeZone))
  return (
    <ConfirmDialog
      open
      title={`Change the time zone to ${formatTimeZone(timeZone)}?`}
      action={error ? 'Try again' : 'Change time zone'}
      pendingAction="Checking..."
      pending={!preview && !error}
      failure={error ? errorMessage(error) : null}
      onConfirm={error ? () => void refetch() : onConfirm}
      onCancel={onCancel}
    >
      {preview && <Consequences preview={preview} />}
      {!preview && !error && <SectionLoading rows={3} subject="what changes" />}
    </ConfirmDialog>
  )
}

const formatLocal = ({ date, time }: TimeZonePreview['now']['before']) => `${formatDate(date)}, ${formatTime(time)}`

function Consequences({ preview: { now, appointments, otherDate, examples } }: { preview: TimeZonePreview }) {
  const styles = useListStyles()
  return (
    <>
      <Text>
        The practice's clock goes from {formatLocal(now.before)} to {formatLocal(now.after)}. Today, the schedule and
        the figures by day and month follow.
      </Text>
      {appointments === 0 ? (
        <Text>No upcoming appointment changes its time.</Text>
      ) : (
        <>
          <Text>{describeMoved(appointments, otherDate)}</Text>
          <ul className={styles.list} aria-label="Examples">
            {examples.map(({ id, patient, before, after }) => (
              <li key={id} className={styles.item}>
                <TwoLineCell
                  top={formatName(patient)}
                  bottom={`${formatLocal(before)} becomes ${formatLocal(after)}`}
                  wrap
                />
              </li>
            ))}
          </ul>
          <SecondaryText>
            Their real time does not change. Move those that were booked at the wrong real time afterwards.
          </SecondaryText>
        </>
      )}
    </>
  )
}

function describeMoved(appointments: number, otherDate: number): string {
  const date = otherDate === 0 ? '' : `, ${formatNumber(otherDate)} of them on another date`
  return appointments === 1
    ? `1 upcoming appointment will show another local time${otherDate === 0 ? '' : ', on another date'}.`
    : `${formatNumber(appointments)} upcoming appointments will show another local time${date}.`
}
