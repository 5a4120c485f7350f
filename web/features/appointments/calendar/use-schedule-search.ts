import { addDays } from '#contracts/values/calendar.ts'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { parseAppointmentsSearch, updateSearch } from './appointments-search.ts'

type SearchChange = Parameters<typeof updateSearch>[1]

/** Reads and changes the search parameters of the schedule. */
export function useScheduleSearch(today: string) {
  const navigate = useNavigate()
  // Parsed again: the router keeps URL parameters that the route does not know.
  const search = useSearch({ from: '/shell/appointments', select: parseAppointmentsSearch })
  const { date = today, view = 'day' } = search
  const change = (next: SearchChange) =>
    void navigate({ to: '/appointments', search: updateSearch(search, next, today) })
  const goToDate = (day: string) => change({ date: day })
  return {
    search,
    date,
    view,
    change,
    goToDate,
    /** Goes one day, or one week, forward or back. */
    step: (direction: 1 | -1) => goToDate(addDays(date, direction * (view === 'week' ? 7 : 1))),
  }
}

export type ScheduleSearch = ReturnType<typeof useScheduleSearch>

/** Calls back once when the URL asks for a new appointment, and removes that parameter. */
export function useNewParameter(isRequested: boolean | undefined, onNew: () => void): void {
  const navigate = useNavigate()
  useEffect(() => {
    if (!isRequested) return
    onNew()
    // Replaced, so that going back to this URL does not open the form again.
    void navigate({ to: '/appointments', search: ({ new: _, ...rest }) => rest, replace: true })
    // Only when the URL changes: the callbacks are new at every render.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isRequested])
}
