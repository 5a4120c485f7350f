import { makeStyles, tokens } from '@fluentui/react-components'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ApiProblem } from '#web/api/call.ts'
import { appointmentQuery } from '#web/entities/appointments/appointment-query.ts'
import { describeAppointment } from '#web/entities/appointments/describe-appointment.ts'

const useStyles = makeStyles({ link: { color: tokens.colorBrandForegroundLink } })

/** Link to an appointment, by its day, time and type; in words where it was removed. */
export function AppointmentLink({ appointmentId }: { appointmentId: string }) {
  const styles = useStyles()
  const { data, error } = useQuery(appointmentQuery(appointmentId))
  if (!data) return error instanceof ApiProblem && error.status === 404 ? 'Removed' : null
  return (
    <Link to="/appointments" search={{ date: data.localDate, appointment: data.id }} className={styles.link}>
      {describeAppointment(data)}
    </Link>
  )
}
