import { makeStyles } from '@fluentui/react-components'
import type { AppointmentType } from '#contracts/values/appointments.ts'
import { ColourDot } from '#web/ui/colour-dot.tsx'
import { appointmentTypeLabels } from './appointment-type-labels.ts'
import { useAppointmentTypes } from './use-appointment-types.ts'

const useStyles = makeStyles({
  // Within text, which it must not make taller.
  dot: { width: '9px', height: '9px', marginRight: '5px' },
})

/** Name of an appointment type, with its color if the practice has set one. */
export function AppointmentTypeLabel({ type }: { type: AppointmentType }) {
  const styles = useStyles()
  const colour = useAppointmentTypes()?.[type].colour
  return (
    <>
      {colour && <ColourDot colour={colour} className={styles.dot} />}
      {appointmentTypeLabels[type]}
    </>
  )
}
