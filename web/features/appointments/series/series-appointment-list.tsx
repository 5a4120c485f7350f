import { formatTime } from '#web/ui/dates.ts'
import { Button, makeStyles, mergeClasses, Skeleton, SkeletonItem, Text, tokens } from '@fluentui/react-components'
import { useQuery } from '@tanstack/react-query'
import type { Appointment } from '#contracts/appointments.ts'
import { errorMessage } from '#web/api/call.ts'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { formatMediumDate, formatShortWeekday } from '../calendar-dates.ts'
import { seriesQuery } from './series-api.ts'

const useStyles = makeStyles({
  head: { color: tokens.colorNeutralForeground2 },
  list: {
    listStyleType: 'none',
    margin: '6px 0 0',
    padding: 0,
    maxHeight: '208px',
    overflowY: 'auto',
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusLarge,
    '> li:not(:first-child)': { borderTop: `1px solid ${tokens.colorNeutralStroke3}` },
  },
  appointment: {
    width: '100%',
    maxWidth: 'none',
    minWidth: 0,
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr) auto',
    columnGap: '8px',
    justifyItems: 'start',
    padding: '5px 10px',
    borderRadius: 0,
    fontWeight: tokens.fontWeightRegular,
    fontVariantNumeric: 'tabular-nums',
    textAlign: 'left',
  },
  current: { fontWeight: tokens.fontWeightSemibold, backgroundColor: tokens.colorNeutralBackground2 },
})

type SeriesAppointmentListProps = {
  appointment: Appointment
  seriesId: string
  onAppointment: (appointment: Appointment) => void
}

/** Lists the appointments in a series; pressing one opens it. */
export function SeriesAppointmentList({ appointment, seriesId, onAppointment }: SeriesAppointmentListProps) {
  const styles = useStyles()
  const { data, error } = useQuery(seriesQuery(seriesId))
  if (error && !data) return <Text>{errorMessage(error)}</Text>
  if (!data)
    return (
      <Skeleton aria-label="Loading the other appointments">
        <SkeletonItem size={24} />
      </Skeleton>
    )
  const index = data.findIndex(({ id }) => id === appointment.id)
  return (
    <>
      <Text className={styles.head}>{`Appointment ${index + 1} of ${data.length}`}</Text>
      <ol className={styles.list} aria-label="All appointments in this series">
        {data.map((other) => (
          <li key={other.id}>
            <Button
              appearance="subtle"
              className={mergeClasses(styles.appointment, other.id === appointment.id && styles.current)}
              aria-current={other.id === appointment.id ? 'true' : undefined}
              onClick={() => other.id !== appointment.id && onAppointment(other)}
            >
              <span>{`${formatShortWeekday(other.localDate)}, ${formatMediumDate(other.localDate)}, ${formatTime(other.localTime)}`}</span>
              <StatusBadge status={other.status} plain />
            </Button>
          </li>
        ))}
      </ol>
    </>
  )
}
