import { Button, makeStyles, Text } from '@fluentui/react-components'
import { ClockAlarmRegular } from '@fluentui/react-icons'
import { useEffect, useRef } from 'react'
import { z } from 'zod'
import { NotMoved } from '#contracts/appointment-series.ts'
import { ApiProblem } from '#web/api/call.ts'
import { Notice } from '#web/ui/notice.tsx'
import { formatTime, toLocalDateTime } from '../local-time.ts'
import { formatMediumDate, formatShortWeekday } from '../calendar-dates.ts'

const useStyles = makeStyles({
  root: { gridColumn: '1 / -1', ':focus': { outline: 'none' } },
  list: { margin: '4px 0', paddingLeft: '18px' },
})

const Conflicts = z.array(NotMoved)

/** The times that are taken, when that is why the server refused to change a row. */
export function parseSeriesConflicts(error: unknown): NotMoved[] | null {
  if (!(error instanceof ApiProblem) || error.code !== 'series-conflicts') return null
  return Conflicts.safeParse(error.problem['conflicts']).data ?? null
}

/** One appointment that could not go where it should, and why. */
export function describeNotMoved({ start, reason, conflict }: NotMoved, zone: string): string {
  const { date, time } = toLocalDateTime(zone, start)
  const when = `${formatShortWeekday(date)}, ${formatMediumDate(date)}, ${formatTime(time)}`
  if (reason === 'changed-meanwhile') return `${when}: somebody changed this appointment meanwhile`
  if (reason === 'failed') return `${when}: could not be saved`
  const until = conflict ? ` until ${formatTime(toLocalDateTime(zone, conflict.until).time)}` : ''
  const who = conflict?.patientName ?? 'somebody else'
  return conflict?.providerName
    ? `${when}: ${conflict.providerName} sees ${who}${until}`
    : `${when}: ${who} is there${until}`
}

type SeriesConflictsProps = {
  conflicts: readonly NotMoved[]
  zone: string
  pending: boolean
  anyway: string
  onAnyway: () => void
}

/** Who is in the way of a change of several appointments. Nothing is changed yet. */
export function SeriesConflicts({ conflicts, zone, pending, anyway, onAnyway }: SeriesConflictsProps) {
  const styles = useStyles()
  const top = useRef<HTMLDivElement>(null)
  useEffect(() => top.current?.focus(), [])
  return (
    <div ref={top} tabIndex={-1} className={styles.root}>
      <Notice
        tone="waiting"
        icon={ClockAlarmRegular}
        title={conflicts.length === 1 ? '1 of these times is taken' : `${conflicts.length} of these times are taken`}
        role="alert"
        actions={
          <Button size="small" appearance="outline" disabledFocusable={pending} onClick={onAnyway}>
            {anyway}
          </Button>
        }
      >
        <ul className={styles.list}>
          {conflicts.map((each) => (
            <li key={each.appointmentId}>
              <Text>{describeNotMoved(each, zone)}</Text>
            </li>
          ))}
        </ul>
        <Text>Nothing was changed. If you go on all the same, both appointments stay, marked as an overlap.</Text>
      </Notice>
    </div>
  )
}
