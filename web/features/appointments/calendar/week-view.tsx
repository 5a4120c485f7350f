import { formatName } from '#web/ui/format.ts'
import { formatTime } from '#web/ui/dates.ts'
import { Button, makeStyles, mergeClasses, Text, tokens } from '@fluentui/react-components'
import { ArrowRepeatAll16Regular } from '@fluentui/react-icons/svg/arrow-repeat-all'
import type { CSSProperties } from 'react'
import type { Appointment } from '#contracts/appointments.ts'
import type { WorkCalendar } from '#contracts/values/working-hours.ts'
import { statusBorderColors } from '#web/ui/status-badge.tsx'
import { formatLongDate, formatShortWeekday, getWeekDays } from '../calendar-dates.ts'
import { getSlotState, blocksTime } from '../slots.ts'
import { getAppointmentTone } from '#web/entities/appointments/appointment-tone.ts'
import { DeceasedMark } from '#web/entities/appointments/deceased-mark.tsx'
import { appointmentTypeLabels } from '#web/entities/appointments/appointment-type-labels.ts'
import { statusLabels } from '../labels.ts'
import { getWorkingDay } from '../working-day.ts'

const narrow = '@media (max-width: 943px)'
const tight = '@media (min-width: 944px) and (max-width: 1503px)'

const useStyles = makeStyles({
  week: {
    display: 'grid',
    gridTemplateColumns: 'repeat(7, minmax(0, 1fr))',
    borderTop: `1px solid ${tokens.colorNeutralStroke2}`,
    minHeight: '420px',
    [narrow]: { gridTemplateColumns: 'minmax(0, 1fr)', minHeight: 0 },
  },
  day: {
    minWidth: 0,
    padding: '8px 6px 12px',
    borderLeft: `1px solid ${tokens.colorNeutralStroke3}`,
    ':first-child': { borderLeft: 'none' },
    [narrow]: {
      borderLeft: 'none',
      borderTop: `1px solid ${tokens.colorNeutralStroke3}`,
      padding: '8px 12px 12px',
      ':first-child': { borderTop: 'none' },
    },
  },
  closed: { backgroundColor: tokens.colorNeutralBackground2 },
  heading: { margin: '0 0 4px', font: 'inherit' },
  head: {
    width: '100%',
    maxWidth: 'none',
    minWidth: 0,
    display: 'grid',
    gridTemplateColumns: 'auto auto minmax(0, 1fr)',
    columnGap: '6px',
    justifyItems: 'start',
    alignItems: 'baseline',
    padding: '4px 6px',
    fontWeight: tokens.fontWeightRegular,
    // Seven days beside the month leave too little width for three columns.
    [tight]: { gridTemplateColumns: 'auto minmax(0, 1fr)' },
  },
  number: { fontWeight: tokens.fontWeightSemibold, fontSize: tokens.fontSizeBase400 },
  today: { color: tokens.colorBrandForeground1 },
  free: {
    justifySelf: 'end',
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase100,
    whiteSpace: 'nowrap',
    [tight]: { gridColumn: '1 / -1', justifySelf: 'start', minHeight: tokens.lineHeightBase100 },
  },
  list: {
    listStyleType: 'none',
    margin: 0,
    padding: 0,
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr)',
    rowGap: '4px',
  },
  appointment: {
    position: 'relative',
    width: '100%',
    maxWidth: 'none',
    minWidth: 0,
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr)',
    justifyItems: 'start',
    overflow: 'hidden',
    padding: '3px 2px 3px 10px',
    textAlign: 'left',
    fontWeight: tokens.fontWeightRegular,
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase200,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    '::before': {
      content: '""',
      position: 'absolute',
      left: 0,
      top: 0,
      bottom: 0,
      width: '3px',
      backgroundColor: 'var(--edge)',
    },
    '> span': {
      maxWidth: '100%',
      overflow: 'hidden',
      textOverflow: 'ellipsis',
      whiteSpace: 'nowrap',
      fontVariantNumeric: 'tabular-nums',
    },
    [narrow]: { display: 'flex', columnGap: '10px', justifyContent: 'start' },
  },
  // A mark that does not fit beside the time wraps to the next line instead of being cut off.
  time: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    columnGap: '4px',
    color: tokens.colorNeutralForeground3,
  },
  name: { fontWeight: tokens.fontWeightSemibold },
  strikethrough: { textDecorationLine: 'line-through', color: tokens.colorNeutralForeground3 },
  empty: {
    display: 'block',
    padding: '4px 6px',
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase200,
  },
})

type WeekViewProps = {
  date: string
  today: string
  appointments: readonly Appointment[]
  /** The providers on screen. */
  providers: readonly { id: string; name: string }[]
  calendar: WorkCalendar
  onDay: (date: string) => void
  onOpen: (appointment: Appointment) => void
}

/** Seven days side by side, each with its appointments and the number of free slots. */
export function WeekView({ date, today, appointments, providers, calendar, onDay, onOpen }: WeekViewProps) {
  const styles = useStyles()
  return (
    <div className={styles.week}>
      {getWeekDays(date).map((day) => {
        const dayAppointments = appointments.filter(({ localDate }) => localDate === day)
        const { slots, isClosed, notes, daysOff } = getWorkingDay(calendar, day, providers)
        const working = Math.max(1, providers.length - daysOff.size)
        const free = slots.filter((slot) => getSlotState(slot, dayAppointments, working) === 'free').length
        return (
          <section
            key={day}
            className={mergeClasses(styles.day, isClosed && styles.closed)}
            aria-label={formatLongDate(day)}
          >
            <h3 className={styles.heading}>
              <Button
                appearance="subtle"
                className={mergeClasses(styles.head, day === today && styles.today)}
                aria-current={day === today ? 'date' : undefined}
                onClick={() => onDay(day)}
              >
                <span>{formatShortWeekday(day)}</span>
                <span className={styles.number}>{Number(day.slice(8))}</span>
                <span className={styles.free}>
                  {slots.length > 0 && dayAppointments.some(blocksTime) ? `${free} free` : ''}
                </span>
              </Button>
            </h3>
            {notes.map((note) => (
              <Text key={note} className={styles.empty}>
                {note}
              </Text>
            ))}
            {dayAppointments.length === 0 && notes.length === 0 && <Text className={styles.empty}>Nothing booked</Text>}
            <ul className={styles.list}>
              {dayAppointments.map((appointment) => (
                <li key={appointment.id}>
                  <Button
                    appearance="outline"
                    className={styles.appointment}
                    style={{ '--edge': statusBorderColors[getAppointmentTone(appointment)] } as CSSProperties}
                    title={`${formatName(appointment.patient)}, ${appointmentTypeLabels[appointment.type]}, ${statusLabels[appointment.status]}${appointment.patientDeceased ? ', Deceased' : ''}${appointment.sample ? ', Demo' : ''}`}
                    onClick={() => onOpen(appointment)}
                  >
                    <span className={styles.time}>
                      <span>{formatTime(appointment.localTime)} </span>
                      {appointment.seriesId && <ArrowRepeatAll16Regular aria-label="Repeats" />}
                      {appointment.sample && <span>Demo </span>}
                      {appointment.patientDeceased && <DeceasedMark separator=" " />}
                    </span>
                    <span
                      className={appointment.status === 'cancelled' ? styles.strikethrough : styles.name}
                      dir="auto"
                    >
                      {formatName(appointment.patient)}
                    </span>
                  </Button>
                </li>
              ))}
            </ul>
          </section>
        )
      })}
    </div>
  )
}
