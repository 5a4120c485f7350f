import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { type Appointment, changeAppointment } from '#contracts/appointments.ts'
import type { RequestInput } from '#contracts/endpoint.ts'
import { call } from '#web/api/call.ts'
import { appointmentKeys } from './appointment-keys.ts'

/** Refetches the appointments on screen and marks all others as stale; resolves when the lists show them. */
export async function refreshAppointments(queries: QueryClient): Promise<void> {
  const [, freeSlots] = appointmentKeys.allFreeSlots
  // A form that is about to close does not wait for the free slots that it offered.
  void queries.invalidateQueries({ queryKey: appointmentKeys.allFreeSlots })
  await queries.invalidateQueries({
    queryKey: appointmentKeys.all,
    predicate: ({ queryKey }) => queryKey[1] !== freeSlots,
  })
}

/** Updates an appointment in every cached list, so that a moved one does not jump back until the lists are refetched. */
function updateCachedLists(queries: QueryClient, appointment: Appointment): void {
  for (const queryKey of [appointmentKeys.days, appointmentKeys.today])
    queries.setQueriesData<Appointment[]>({ queryKey }, (list) =>
      list?.map((candidate) =>
        candidate.id === appointment.id && candidate.revision <= appointment.revision ? appointment : candidate,
      ),
    )
}

/** Changes the time, details or status of an appointment. */
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
      updateCachedLists(queries, appointment)
      return refreshAppointments(queries)
    },
    // A refusal means that the lists on screen are out of date.
    onError: () => void refreshAppointments(queries),
  })
}
