import { queryOptions } from '@tanstack/react-query'
import { getAppointment } from '#contracts/appointments.ts'
import { call } from '#web/api/call.ts'
import { appointmentKeys } from './appointment-keys.ts'

/** Query for one appointment. */
export const appointmentQuery = (appointmentId: string) =>
  queryOptions({
    queryKey: appointmentKeys.one(appointmentId),
    queryFn: ({ signal }) => call(getAppointment, { params: { appointmentId } }, signal),
    staleTime: 0,
  })
