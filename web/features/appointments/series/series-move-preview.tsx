import { makeStyles, mergeClasses, Text, tokens } from '@fluentui/react-components'
import { useQuery } from '@tanstack/react-query'
import type { Appointment } from '#contracts/appointments.ts'
import type { LocalDateTime } from '#contracts/values/calendar.ts'
import { formatTime } from '#web/ui/dates.ts'
import { formatCount } from '#web/ui/format.ts'
import { formatMediumDate, formatShortWeekday } from '../calendar-dates.ts'
import { seriesQuery } from './series-api.ts'
import { type PlannedMove, planSeriesMove } from './series-move.ts'
import { type ChangeScope, filterByScope } from './series-scope.ts'

const useStyles = makeStyles({
  root: { display: 'grid', rowGap: '6px', marginTop: '12px' },
  list: {
    listStyleType: 'none',
    margin: 0,
    padding: 0,
    maxHeight: '208px',
    overflowY: 'auto',
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusLarge,
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}` },
    '> li:not(:first-child)': { borderTop: `1px solid ${tokens.colorNeutralStroke3}` },
  },
  row: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr) minmax(0, 1fr)',
    columnGap: '12px',
    padding: '5px 10px',
    fontVariantNumeric: 'tabular-nums',
    '@media (max-width: 639px)': { gridTemplateColumns: 'minmax(0, 1fr)' },
  },
  from: { color: tokens.colorNeutralForeground3 },
  adjusted: { backgroundColor: tokens.colorStatusWarningBackground1 },
  note: { gridColumn: '1 / -1', color: tokens.colorStatusWarningForeground1, fontSize: tokens.fontSizeBase200 },
})

const notes = {
  'clock-change': 'This time does not exist on that day, because of daylight saving time: the next one is used',
  'other-day': 'Another day of the month than the others',
} as const

const format = ({ date, time }: LocalDateTime) =>
  `${formatShortWeekday(date)}, ${formatMediumDate(date)}, ${formatTime(time)}`

type SeriesMovePreviewProps = {
  appointment: Appointment
  scope: ChangeScope
  now: Date
  /** The new start of the appointment, in local time. */
  to: LocalDateTime
  zone: string
}

/** The new dates of the appointments that are moved together, before they are saved, with those that are adjusted. */
export function SeriesMovePreview({ appointment, scope, now, to, zone }: SeriesMovePreviewProps) {
  const styles = useStyles()
  const { data } = useQuery({ ...seriesQuery(appointment.seriesId ?? ''), enabled: appointment.seriesId !== null })
  const isComplete = /^20\d\d-\d\d-\d\d$/.test(to.date) && /^\d\d:\d\d$/.test(to.time)
  const isMoved = to.date !== appointment.localDate || to.time !== appointment.localTime
  if (!data || scope === 'this' || !isComplete || !isMoved) return null
  const moves = planSeriesMove(filterByScope(data, appointment, scope, now), appointment, to, zone)
  const adjusted = moves.filter((move) => move.adjusted !== null).length
  return (
    <section className={styles.root} aria-label="New dates">
      <Text weight="semibold">
        New dates
        {adjusted > 0 && `, of which ${formatCount(adjusted, 'date')} ${adjusted === 1 ? 'is' : 'are'} adjusted`}
      </Text>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- Scrolls by keyboard, too. */}
      <ol className={styles.list} tabIndex={0}>
        {moves.map((move) => (
          <MoveRow key={move.id} move={move} />
        ))}
      </ol>
    </section>
  )
}

function MoveRow({ move: { from, to, adjusted } }: { move: PlannedMove }) {
  const styles = useStyles()
  return (
    <li className={mergeClasses(styles.row, adjusted !== null && styles.adjusted)}>
      <span className={styles.from}>{format(from)}</span>
      <span>{format(to)}</span>
      {adjusted && <span className={styles.note}>{notes[adjusted]}</span>}
    </li>
  )
}
