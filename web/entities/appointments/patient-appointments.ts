import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { listPatientAppointments } from '#contracts/appointments.ts'
import { callPaged } from '#web/api/call.ts'
import { appointmentKeys } from './appointment-keys.ts'

type PatientAppointmentsPage = { patientId: string; period: 'upcoming' | 'past'; page?: number; pageSize: number }

/** Query for one page of a patient's appointments: the coming ones, next first, or all others, newest first. */
export const patientAppointmentsQuery = ({ patientId, period, page = 1, pageSize }: PatientAppointmentsPage) =>
  queryOptions({
    queryKey: appointmentKeys.ofPatient({ patientId, period, page, pageSize }),
    queryFn: ({ signal }) => {
      const query = { period, limit: pageSize, offset: (page - 1) * pageSize }
      return callPaged(listPatientAppointments, { params: { patientId }, query }, signal)
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
