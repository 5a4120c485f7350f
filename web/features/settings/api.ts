import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { createCalendarFeed, listCalendarFeeds, revokeCalendarFeed } from '#contracts/calendar-feeds.ts'
import type { RequestInput } from '#contracts/endpoint.ts'
import { changeFees, getFees } from '#contracts/fees.ts'
import { changePractice } from '#contracts/practice-settings.ts'
import { call } from '#web/api/call.ts'
import { practiceKeys } from '#web/entities/practices/practice-keys.ts'
import { practiceQuery } from '#web/entities/practices/practice-query.ts'

/** What the practice asks for its appointments. */
export const feesQuery = queryOptions({
  queryKey: practiceKeys.fees,
  queryFn: ({ signal }) => call(getFees, {}, signal),
  staleTime: 0,
})

/** The private calendar addresses that are open. */
export const calendarFeedsQuery = queryOptions({
  queryKey: practiceKeys.calendarFeeds,
  queryFn: ({ signal }) => call(listCalendarFeeds, {}, signal),
  staleTime: 0,
})

/** Changes what the practice is called and how it is reached. */
export function useUpdatePractice() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (request: RequestInput<typeof changePractice>) => call(changePractice, request),
    onSuccess: (practice) => queries.setQueryData(practiceQuery(practice.id).queryKey, practice),
  })
}

/** Changes what appointments cost from now on. */
export function useUpdateFees() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: RequestInput<typeof changeFees>['body']) => call(changeFees, { body }),
    onSuccess: (schedule) => queries.setQueryData(feesQuery.queryKey, schedule),
  })
}

/** Makes a private address; the answer is the only time that it is told. */
export function useCreateFeed() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: RequestInput<typeof createCalendarFeed>['body']) => call(createCalendarFeed, { body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: calendarFeedsQuery.queryKey }),
    // The address is a secret: nothing remembers it once its dialog is closed.
    gcTime: 0,
  })
}

/** Closes a private address for ever. */
export function useRevokeFeed() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (calendarFeedId: string) => call(revokeCalendarFeed, { params: { calendarFeedId } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: calendarFeedsQuery.queryKey }),
  })
}
