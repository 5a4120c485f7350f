import { useQuery } from '@tanstack/react-query'
import { patientAppointmentsQuery } from '#web/entities/appointments/patient-appointments.ts'
import { mayBecomeEarlier, type OwnAppointment } from './wishes.ts'

/** The most appointments to choose from. */
const pageSize = 20

/** Returns the coming appointments of a patient that could be earlier; none before they are loaded. */
export function useOwnAppointments(patientId: string | undefined, now: Date): readonly OwnAppointment[] {
  const query = patientAppointmentsQuery({ patientId: patientId ?? '', period: 'upcoming', pageSize })
  const { data } = useQuery({ ...query, enabled: patientId !== undefined, placeholderData: undefined })
  return data?.items.filter((appointment) => mayBecomeEarlier(appointment, now)) ?? []
}
