import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { getWorkingHours } from '#contracts/working-hours.ts'
import { defaultCalendar, type WorkCalendar } from '#contracts/values/working-hours.ts'
import { call } from '#web/api/call.ts'
import { practiceKeys } from '#web/entities/practices/practice-keys.ts'
import { getMonthWithWeeks, isKnownMonth } from './calendar-dates.ts'

/** Query for the working time of a date's month, with the whole of its first and last week. */
export const workCalendarQuery = (date: string) => {
  const range = getMonthWithWeeks(date)
  return queryOptions({
    queryKey: practiceKeys.workCalendar(range),
    queryFn: async ({ signal }): Promise<WorkCalendar> => {
      const { hours, revision, closures } = await call(getWorkingHours, { query: range }, signal)
      return { week: revision === null ? null : hours, closures }
    },
    placeholderData: keepPreviousData,
  })
}

/** Loads the working time of a date's month. Until it is known, and if it cannot be loaded, it is that of a new practice. */
export function useWorkCalendar(date: string): { calendar: WorkCalendar; isPending: boolean } {
  const isSupported = isKnownMonth(date)
  const { data, isPending } = useQuery({
    ...workCalendarQuery(isSupported ? date : '2026-01-01'),
    enabled: isSupported,
  })
  return { calendar: data ?? defaultCalendar, isPending: isPending && isSupported }
}
