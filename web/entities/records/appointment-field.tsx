import { Field, Select } from '@fluentui/react-components'
import { useQuery } from '@tanstack/react-query'
import { type Control, useController, useWatch } from 'react-hook-form'
import type { Appointment } from '#contracts/appointments.ts'
import { appointmentQuery } from '#web/entities/appointments/appointment-query.ts'
import { describeAppointment } from '#web/entities/appointments/describe-appointment.ts'
import { patientAppointmentsQuery } from '#web/entities/appointments/patient-appointments.ts'
import { patientInput, type RecordValues } from './record-values.ts'

/** The number of appointments to choose from in each direction. */
const pageSize = 20

const describe = (appointment: Appointment) =>
  appointment.status === 'cancelled'
    ? `${describeAppointment(appointment)}, cancelled`
    : describeAppointment(appointment)

type AppointmentFieldProps = { name: string; label: string; control: Control<RecordValues> }

/** A choice of the patient's appointments: the past ones, newest first, then those that are coming. */
export function AppointmentField({ name, label, control }: AppointmentFieldProps) {
  const { field, fieldState } = useController({ control, name })
  const patientId = useWatch({ control, name: patientInput }) ?? ''
  const isChosen = field.value !== ''
  const isEnabled = patientId !== ''
  const past = useQuery({
    ...patientAppointmentsQuery({ patientId, period: 'past', pageSize }),
    enabled: isEnabled,
  })
  const coming = useQuery({
    ...patientAppointmentsQuery({ patientId, period: 'upcoming', pageSize }),
    enabled: isEnabled,
  })
  const { data: chosen } = useQuery({ ...appointmentQuery(field.value ?? ''), enabled: isChosen })
  // The previous patient's are kept on screen while those of another one load.
  const listed = [...(past.data?.items ?? []), ...(coming.data?.items ?? [])].filter(
    (appointment) => appointment.patientId === patientId,
  )
  const missing = chosen && !listed.some(({ id }) => id === chosen.id) ? [chosen] : []
  return (
    <Field label={label} validationMessage={fieldState.error?.message}>
      <Select {...field} disabled={!isEnabled}>
        <option value="">{isEnabled ? 'No appointment' : 'Choose a patient first'}</option>
        {[...missing, ...listed].map((appointment) => (
          <option key={appointment.id} value={appointment.id}>
            {describe(appointment)}
          </option>
        ))}
      </Select>
    </Field>
  )
}
