import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Appointment } from '#contracts/appointments.ts'
import type { RequestInput } from '#contracts/endpoint.ts'
import { addToWaitlist, listWaitlist, removeFromWaitlist, waitlistCandidates } from '#contracts/waitlist.ts'
import { call } from '#web/api/call.ts'

/** Who would come earlier, longest waiting first. */
export const waitlistQuery = queryOptions({
  queryKey: ['waitlist', 'list'],
  queryFn: ({ signal }) => call(listWaitlist, {}, signal),
  staleTime: 0,
})

/** The three who fit best into the time that an appointment has left free. */
export const waitlistCandidatesQuery = ({ id, providerId, appointmentDate, duration }: Appointment) =>
  queryOptions({
    queryKey: ['waitlist', 'candidates', id],
    queryFn: ({ signal }) =>
      call(waitlistCandidates, { query: { providerId, start: appointmentDate, duration } }, signal),
    staleTime: 0,
  })

/** Lets a patient wait for an earlier time. */
export function useAddToWaitlist() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: RequestInput<typeof addToWaitlist>['body']) => call(addToWaitlist, { body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['waitlist'] }),
  })
}

/** Ends the waiting without an appointment. */
export function useRemoveFromWaitlist() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (waitlistEntryId: string) => call(removeFromWaitlist, { params: { waitlistEntryId } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['waitlist'] }),
  })
}
