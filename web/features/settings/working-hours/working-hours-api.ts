import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { RequestInput } from '#contracts/endpoint.ts'
import {
  addClosure,
  changeClosure,
  changeWorkingHours,
  getWeekHours,
  listClosures,
  removeClosure,
} from '#contracts/working-hours.ts'
import { call } from '#web/api/call.ts'
import { appointmentKeys } from '#web/entities/appointments/appointment-keys.ts'
import { practiceKeys } from '#web/entities/practices/practice-keys.ts'

/** Query for the working hours by weekday. */
export const weekHoursQuery = queryOptions({
  queryKey: practiceKeys.weekHours,
  queryFn: ({ signal }) => call(getWeekHours, {}, signal),
  staleTime: 0,
})

/** Query for the holidays and days off that are not over. */
export const closuresQuery = queryOptions({
  queryKey: practiceKeys.closures,
  queryFn: ({ signal }) => call(listClosures, {}, signal),
  staleTime: 0,
})

/** Refetches what depends on the working time; resolves when the lists on screen show it. */
const refreshWorkingTime = async (queries: QueryClient) => {
  void queries.invalidateQueries({ queryKey: appointmentKeys.allFreeSlots })
  await queries.invalidateQueries({ queryKey: practiceKeys.workingHours })
}

/** Returns the mutation that changes the hours of some weekdays. */
export function useUpdateWorkingHours() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: RequestInput<typeof changeWorkingHours>['body']) => call(changeWorkingHours, { body }),
    onSuccess: (hours) => {
      queries.setQueryData(weekHoursQuery.queryKey, hours)
      void refreshWorkingTime(queries)
    },
  })
}

/** Returns the mutation that adds a holiday or days off. */
export function useAddClosure() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: RequestInput<typeof addClosure>['body']) => call(addClosure, { body }),
    onSuccess: () => refreshWorkingTime(queries),
  })
}

/** Returns the mutation that changes a holiday or days off. */
export function useUpdateClosure() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (request: RequestInput<typeof changeClosure>) => call(changeClosure, request),
    onSuccess: () => refreshWorkingTime(queries),
  })
}

/** Returns the mutation that removes a holiday or days off. */
export function useRemoveClosure() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (closureId: string) => call(removeClosure, { params: { closureId } }),
    onSuccess: () => refreshWorkingTime(queries),
  })
}
