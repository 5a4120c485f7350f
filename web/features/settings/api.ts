import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { changeAppointmentTypes, getAppointmentTypes } from '#contracts/appointment-types.ts'
import { createCalendarFeed, listCalendarFeeds, revokeCalendarFeed } from '#contracts/calendar-feeds.ts'
import type { RequestInput } from '#contracts/endpoint.ts'
import { changePractice, previewTimeZone } from '#contracts/practice-settings.ts'
import { call } from '#web/api/call.ts'
import { appointmentKeys } from '#web/entities/appointments/appointment-keys.ts'
import { dashboardKeys } from '#web/entities/dashboard/dashboard-keys.ts'
import { practiceKeys } from '#web/entities/practices/practice-keys.ts'
import { practiceQuery } from '#web/entities/practices/practice-query.ts'

/** Query for what the practice sets for each appointment type. */
export const appointmentTypesQuery = queryOptions({
  queryKey: practiceKeys.appointmentTypes,
  queryFn: ({ signal }) => call(getAppointmentTypes, {}, signal),
  staleTime: 0,
})

/** Query for the active calendar feeds. */
export const calendarFeedsQuery = queryOptions({
  queryKey: practiceKeys.calendarFeeds,
  queryFn: ({ signal }) => call(listCalendarFeeds, {}, signal),
  staleTime: 0,
})

/** Returns the mutation that updates the practice's details. */
export function useUpdatePractice() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (request: RequestInput<typeof changePractice>) => call(changePractice, request),
    onSuccess: (practice, { body }) => {
      queries.setQueryData(practiceQuery(practice.id).queryKey, practice)
      void queries.invalidateQueries({ queryKey: practiceKeys.safeguards })
      // Dates and times of these are in the practice's time zone.
      if (body.timezone !== undefined)
        for (const queryKey of [appointmentKeys.all, dashboardKeys.all]) void queries.invalidateQueries({ queryKey })
    },
  })
}

/** Query for what a change of the practice's time zone moves. */
export const timeZonePreviewQuery = (practiceId: string, timezone: string) =>
  queryOptions({
    queryKey: practiceKeys.timeZonePreview(practiceId, timezone),
    queryFn: ({ signal }) => call(previewTimeZone, { params: { practiceId }, query: { timezone } }, signal),
    gcTime: 0,
    staleTime: 0,
  })

/** Returns the mutation that changes appointment types. The practice has them too, for the forms and the calendar. */
export function useUpdateAppointmentTypes(practiceId: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: RequestInput<typeof changeAppointmentTypes>['body']) => call(changeAppointmentTypes, { body }),
    onSuccess: (schedule) => {
      queries.setQueryData(appointmentTypesQuery.queryKey, schedule)
      void queries.invalidateQueries({ queryKey: practiceQuery(practiceId).queryKey })
    },
  })
}

/** Returns the mutation that creates a calendar feed; only its reply contains the secret address. */
export function useCreateFeed() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: RequestInput<typeof createCalendarFeed>['body']) => call(createCalendarFeed, { body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: calendarFeedsQuery.queryKey }),
    // The address is secret, so it is not kept in the cache.
    gcTime: 0,
  })
}

/** Returns the mutation that revokes a calendar feed permanently. */
export function useRevokeFeed() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (calendarFeedId: string) => call(revokeCalendarFeed, { params: { calendarFeedId } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: calendarFeedsQuery.queryKey }),
  })
}
