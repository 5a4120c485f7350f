import { toLocalDateTime } from '#contracts/values/calendar.ts'
import { formatTime } from '#web/ui/dates.ts'
import { Button, makeStyles, Text } from '@fluentui/react-components'
import { ClockAlarmRegular } from '@fluentui/react-icons/svg/clock-alarm'
import { useEffect, useRef } from 'react'
import { z } from 'zod'
import { NotMoved } from '#contracts/appointment-series.ts'
import { ApiProblem } from '#web/api/call.ts'
import { Notice } from '#web/ui/notice.tsx'
import { formatMediumDate, formatShortWeekday } from '../calendar-dates.ts'

const useStyles = makeStyles({
  root: { gridColumn: '1 / -1', ':focus': { outline: 'none' } },
  list: { margin: '4px 0', paddingLeft: '18px' },
})

const Conflicts = z.array(NotMoved)

/** Returns the taken times when the server refused to change a series for that reason. */
export function parseSeriesConflicts(error: unknown): NotMoved[] | null {
  if (!(error instanceof ApiProblem) || error.code !== 'series-conflicts') return null
  return Conflicts.safeParse(error.problem['conflicts']).data ?? null
}

/** Describes one appointment that was not changed, with the reason. */
export function describeNotMoved({ start, reason, conflict }: NotMoved, zone: string): string {
  const { date, time } = toLocalDateTime(start, zone)
  const when = `${formatShortWeekday(date)}, ${formatMediumDate(date)}, ${formatTime(time)}`
  if (reason === 'changed-meanwhile') return `${when}: another user has changed this appointment`
  if (reason === 'failed') return `${when}: could not be saved`
  const until = conflict ? ` until ${formatTime(toLocalDateTime(conflict.until, zone).time)}` : ''
  const other = conflict?.patientName ?? 'another patient'
  return conflict?.providerName
    ? `${when}: ${conflict.providerName} sees ${other}${until}`
    : `${when}: ${other} is booked${until}`
}

type SeriesConflictsProps = {
  conflicts: readonly NotMoved[]
  zone: string
  pending: boolean
  /** Label of the button that accepts the overlaps. */
  overlapLabel: string
  onOverlap: () => void
}

/** Lists the taken times that block a change of several appointments. Nothing is changed yet. */
export function SeriesConflicts({ conflicts, zone, pending, overlapLabel, onOverlap }: SeriesConflictsProps) {
  const styles = useStyles()
  const top = useRef<HTMLDivElement>(null)
  useEffect(() => top.current?.focus(), [])
  return (
    <div ref={top} tabIndex={-1} className={styles.root}>
      <Notice
        tone="warning"
        icon={ClockAlarmRegular}
        title={conflicts.length === 1 ? '1 of these times is taken' : `${conflicts.length} of these times are taken`}
        role="alert"
        actions={
          <Button size="small" appearance="outline" disabledFocusable={pending} onClick={onOverlap}>
            {overlapLabel}
          </Button>
        }
      >
        <ul className={styles.list}>
          {conflicts.map((conflict) => (
            <li key={conflict.appointmentId}>
              <Text>{describeNotMoved(conflict, zone)}</Text>
            </li>
          ))}
        </ul>
        <Text>Nothing was changed. If you save anyway, both appointments stay, marked as an overlap.</Text>
      </Notice>
    </div>
  )
}
