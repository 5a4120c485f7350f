import { keepPreviousData, type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  type Appointment,
  bookAppointment,
  cancelAppointment,
  changeAppointment,
  freeSlots,
  getAppointment,
  listAppointments,
} from '#contracts/appointments.ts'
import type { RequestInput } from '#contracts/endpoint.ts'
import { addPatient, listPatients } from '#contracts/patients.ts'
import { call } from '#web/api/call.ts'
import { getStartOfDay } from '#contracts/values/calendar.ts'
import { addDays } from './calendar-dates.ts'

/**
 * The appointments of some days, in order of time; `from` and `until` are days on the practice's calendar, both included.
 * Colleagues work too, so each look asks anew.
 */
export const appointmentsQuery = ({ from, until, zone }: { from: string; until: string; zone: string }) =>
  queryOptions({
    queryKey: ['appointments', 'days', { from, until }],
    queryFn: async ({ signal }) => {
      const query = { startDate: getStartOfDay(from, zone), endDate: getStartOfDay(addDays(until, 1), zone) }
      const appointments = await call(listAppointments, { query }, signal)
      return appointments
        .filter(({ localDate }) => localDate >= from && localDate <= until)
        .toSorted((a, b) => a.appointmentDate.localeCompare(b.appointmentDate) || a.id.localeCompare(b.id))
    },
    enabled: zone !== '',
    staleTime: 0,
  })

/** One appointment as it is now. */
export const appointmentQuery = (appointmentId: string) =>
  queryOptions({
    queryKey: ['appointments', 'one', appointmentId],
    queryFn: ({ signal }) => call(getAppointment, { params: { appointmentId } }, signal),
    staleTime: 0,
  })

type FreeSlotsAsked = NonNullable<RequestInput<typeof freeSlots>['query']>

/** The next times at which nobody is with a provider. */
export const freeSlotsQuery = (query: FreeSlotsAsked) =>
  queryOptions({
    queryKey: ['appointments', 'free', query],
    queryFn: ({ signal }) => call(freeSlots, { query }, signal),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

/** Patients whose name, phone, e-mail or date of birth fits what is typed. */
export const patientSearchQuery = (search: string) =>
  queryOptions({
    queryKey: ['patients', 'picker', search],
    queryFn: ({ signal }) => call(listPatients, { query: { search, limit: 8 } }, signal),
    enabled: search !== '',
    placeholderData: keepPreviousData,
    gcTime: 60_000,
    staleTime: 0,
  })

const refresh = (queries: QueryClient) => queries.invalidateQueries({ queryKey: ['appointments'] })

/** Puts an appointment as the server answered it into every list on screen that has it: nothing jumps back meanwhile. */
function place(queries: QueryClient, appointment: Appointment): void {
  queries.setQueriesData<Appointment[]>({ queryKey: ['appointments', 'days'] }, (list) =>
    list?.map((each) => (each.id === appointment.id && each.revision <= appointment.revision ? appointment : each)),
  )
}

/** The newest state of an appointment among the lists on screen. */
export const getLatestAppointment = (queries: QueryClient, appointment: Appointment): Appointment =>
  queries
    .getQueriesData<Appointment[]>({ queryKey: ['appointments', 'days'] })
    .flatMap(([, list]) => list?.filter(({ id }) => id === appointment.id) ?? [])
    .reduce((latest, each) => (each.revision > latest.revision ? each : latest), appointment)

/** Books an appointment; resolves when the lists show it. */
export function useBookAppointment() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: RequestInput<typeof bookAppointment>['body']) => call(bookAppointment, { body }),
    onSuccess: () => refresh(queries),
  })
}

/** Moves, lengthens, describes an appointment or sets its status. */
export function useUpdateAppointment() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({
      appointmentId,
      body,
    }: {
      appointmentId: string
      body: RequestInput<typeof changeAppointment>['body']
    }) => call(changeAppointment, { params: { appointmentId }, body }),
    onSuccess: (appointment) => {
      place(queries, appointment)
      return refresh(queries)
    },
    // Whoever was refused looked at what is no longer so.
    onError: () => void refresh(queries),
  })
}

/** Cancels an appointment and takes it off the day. */
export function useCancelAppointment() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (appointmentId: string) => call(cancelAppointment, { params: { appointmentId } }),
    onSuccess: () => refresh(queries),
  })
}

/** Registers a patient on the way to an appointment. */
export function useRegisterPatient() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: RequestInput<typeof addPatient>['body']) => call(addPatient, { body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['patients'] }),
  })
}
