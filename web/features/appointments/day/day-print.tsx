import { formatName } from '#web/ui/format.ts'
import { formatTime } from '#web/ui/dates.ts'
import { makeStyles, mergeClasses } from '@fluentui/react-components'
import type { Appointment } from '#contracts/appointments.ts'
import { formatLongDate } from '../calendar-dates.ts'
import { type SchedulingContext, findProviderName } from '../scheduling-context.ts'
import { appointmentTypeLabels } from '#web/entities/appointments/appointment-type-labels.ts'
import { statusLabels } from '../labels.ts'

const useStyles = makeStyles({
  // Printed black on white in both themes.
  surface: { display: 'none', '@media print': { display: 'block', color: 'black', fontSize: '11pt' } },
  title: { fontSize: '16pt', fontWeight: 600, margin: '0 0 2pt' },
  note: { margin: '0 0 10pt' },
  // The days of a week, of which none begins at the end of a page.
  day: { ':not(:last-of-type)': { marginBottom: '18pt' }, '> p': { breakAfter: 'avoid' } },
  table: {
    width: '100%',
    borderCollapse: 'collapse',
    '& th, & td': {
      textAlign: 'left',
      verticalAlign: 'top',
      padding: '5pt 8pt 5pt 0',
      borderBottom: '0.5pt solid gray',
    },
    '& tr': { breakInside: 'avoid' },
    '& td:first-child': { whiteSpace: 'nowrap' },
  },
})

type DayPrintProps = { context: SchedulingContext; date: string; appointments: readonly Appointment[] }

/** The day as it is printed, for the door of the room and for power failures. */
export function DayPrint({ context, date, appointments }: DayPrintProps) {
  const styles = useStyles()
  return (
    <div className={mergeClasses(styles.surface, styles.day)} data-print="day">
      <p className={styles.title}>{formatLongDate(date)}</p>
      <p className={styles.note}>
        {context.practiceName}, {appointments.length === 1 ? '1 appointment' : `${appointments.length} appointments`}
      </p>
      {appointments.length > 0 && (
        <table className={styles.table}>
          <thead>
            <tr>
              {['Time', 'Minutes', 'Patient', 'Type', 'Reason', 'Provider', 'Status'].map((head) => (
                <th key={head}>{head}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {appointments.map((appointment) => (
              <tr key={appointment.id}>
                <td>{formatTime(appointment.localTime)}</td>
                <td>{appointment.duration}</td>
                <td>{formatName(appointment.patient)}</td>
                <td>{appointmentTypeLabels[appointment.type]}</td>
                <td>{appointment.reason}</td>
                <td>{findProviderName(context, appointment.providerId)}</td>
                <td>
                  {statusLabels[appointment.status]}
                  {appointment.patientDeceased && ', deceased'}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  )
}
