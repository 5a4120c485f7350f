import { getStartOfDay, addDays } from '#contracts/values/calendar.ts'
import { keepPreviousData, type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  type Appointment,
  bookAppointment,
  cancelAppointment,
  cancelPatientAppointments,
  freeSlots,
  listAppointments,
  listBusyDays,
} from '#contracts/appointments.ts'
import type { RequestInput } from '#contracts/endpoint.ts'
import { addPatient } from '#contracts/patients.ts'
import { call } from '#web/api/call.ts'
import { renderingMs } from '#web/api/early-replies.ts'
import { appointmentKeys, isAffectedByDates } from '#web/entities/appointments/appointment-keys.ts'
import { refreshAppointments } from '#web/entities/appointments/update-appointment.ts'
import { patientKeys } from '#web/entities/patients/patient-keys.ts'
import { getMonthWithWeeks } from './calendar-dates.ts'

/**
 * Query for the appointments of some days by time. `from` and `until` are local dates of the practice, both included. Never
 * fresh, because other users change the days too.
 */
export const appointmentsQuery = ({ from, until, zone }: { from: string; until: string; zone: string }) =>
  queryOptions({
    queryKey: appointmentKeys.inRange({ from, until }, zone),
    queryFn: async ({ signal }) => {
      const query = { startDate: getStartOfDay(from, zone), endDate: getStartOfDay(addDays(until, 1), zone) }
      const appointments = await call(listAppointments, { query }, signal)
      return appointments.filter(({ localDate }) => localDate >= from && localDate <= until).toSorted(byTime)
    },
    enabled: zone !== '',
    staleTime: renderingMs,
  })

/** Query for when the providers are busy in a date's month and its weeks. */
export function busyDaysQuery(date: string, zone: string) {
  const query = getMonthWithWeeks(date)
  return queryOptions({
    queryKey: appointmentKeys.busyDays(query, zone),
    queryFn: ({ signal }) => call(listBusyDays, { query }, signal),
    staleTime: renderingMs,
  })
}

type FreeSlotsRequest = NonNullable<RequestInput<typeof freeSlots>['query']>

/** Query for the next free slots of a provider. */
export const freeSlotsQuery = (query: FreeSlotsRequest) =>
  queryOptions({
    queryKey: appointmentKeys.freeSlots(query),
    queryFn: ({ signal }) => call(freeSlots, { query }, signal),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

/** Returns the newest revision of an appointment among the cached lists. */
export const getLatestAppointment = (queries: QueryClient, appointment: Appointment): Appointment =>
  queries
    .getQueriesData<Appointment[]>({ queryKey: appointmentKeys.days })
    .flatMap(([, list]) => list?.filter(({ id }) => id === appointment.id) ?? [])
    .reduce((latest, candidate) => (candidate.revision > latest.revision ? candidate : latest), appointment)

const byTime = (a: Appointment, b: Appointment) =>
  a.appointmentDate.localeCompare(b.appointmentDate) || a.id.localeCompare(b.id)

/** Shows a booked appointment on the cached days that contain it, before they are fetched again. */
function showOnDays(queries: QueryClient, booked: Appointment): void {
  queries.setQueriesData<Appointment[]>(
    {
      queryKey: appointmentKeys.days,
      predicate: ({ queryKey }) => isAffectedByDates(queryKey, { dates: [booked.localDate] }),
    },
    (shown) => shown && [...shown.filter(({ id }) => id !== booked.id), booked].toSorted(byTime),
  )
}

/** Books an appointment; resolves when the lists show it. */
export function useBookAppointment() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: RequestInput<typeof bookAppointment>['body']) => call(bookAppointment, { body }),
    onSuccess: (booked) => {
      showOnDays(queries, booked)
      return refreshAppointments(queries)
    },
  })
}

/** Cancels an appointment and removes it from the day. */
export function useCancelAppointment() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (appointmentId: string) => call(cancelAppointment, { params: { appointmentId } }),
    onSuccess: () => refreshAppointments(queries),
  })
}

/** Cancels the coming appointments of a patient. */
export function useCancelPatientAppointments() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (patientId: string) => call(cancelPatientAppointments, { params: { patientId } }),
    onSuccess: () => refreshAppointments(queries),
  })
}

/** Registers a patient during a booking. */
export function useRegisterPatient() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: RequestInput<typeof addPatient>['body']) => call(addPatient, { body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: patientKeys.lists }),
  })
}
