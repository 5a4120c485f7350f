import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Appointment } from '#contracts/appointments.ts'
import type { RequestInput } from '#contracts/endpoint.ts'
import {
  addToWaitlist,
  changeWaitlistEntry,
  findBookedWaitlistEntry,
  listWaitlist,
  removeFromWaitlist,
  returnToWaitlist,
  waitlistCandidates,
} from '#contracts/waitlist.ts'
import { call } from '#web/api/call.ts'
import { waitlistKeys } from './waitlist-keys.ts'

/** Milliseconds for which the waitlist is not loaded again where it is not shown itself: live updates say when it changes. */
export const freshWaitlistMs = 60_000

/** Query for the waitlist, longest waiting first. */
export const waitlistQuery = queryOptions({
  queryKey: waitlistKeys.list,
  queryFn: ({ signal }) => call(listWaitlist, {}, signal),
  staleTime: 0,
})

/** Query for the three waitlist entries that fit best into the slot that an appointment left free. */
export const waitlistCandidatesQuery = ({ id, providerId, appointmentDate, duration }: Appointment) =>
  queryOptions({
    queryKey: waitlistKeys.candidates(id),
    queryFn: ({ signal }) =>
      call(waitlistCandidates, { query: { providerId, start: appointmentDate, duration } }, signal),
    staleTime: 0,
  })

/** Query for the waitlist entry for which an appointment was booked; null without one. */
export const bookedEntryQuery = (appointmentId: string) =>
  queryOptions({
    queryKey: waitlistKeys.booked(appointmentId),
    queryFn: ({ signal }) => call(findBookedWaitlistEntry, { query: { appointmentId } }, signal),
    staleTime: 0,
    retry: false,
  })

/** Puts the patient of a cancelled appointment back on the waitlist, at the same place. */
export function useReturnToWaitlist() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (waitlistEntryId: string) => call(returnToWaitlist, { params: { waitlistEntryId } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: waitlistKeys.list }),
  })
}

/** Adds a patient to the waitlist. */
export function useAddToWaitlist() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: RequestInput<typeof addToWaitlist>['body']) => call(addToWaitlist, { body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: waitlistKeys.all }),
  })
}

/** Changes what a patient waits for. */
export function useChangeWaitlistEntry() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ id, change }: { id: string; change: RequestInput<typeof changeWaitlistEntry>['body'] }) =>
      call(changeWaitlistEntry, { params: { waitlistEntryId: id }, body: change }),
    onSuccess: () => queries.invalidateQueries({ queryKey: waitlistKeys.all }),
  })
}

/** Removes a waitlist entry without booking an appointment. */
export function useRemoveFromWaitlist() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (waitlistEntryId: string) => call(removeFromWaitlist, { params: { waitlistEntryId } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: waitlistKeys.all }),
  })
}
