import { addDays } from '#contracts/values/calendar.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { Appointment } from '#contracts/appointments.ts'
import { errorMessage } from '#web/api/call.ts'
import { useNotify } from '#web/ui/toasts.tsx'
import { appointmentQuery } from '#web/entities/appointments/appointment-query.ts'
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

/** Calls back once when the URL asks for a new appointment, and removes that parameter and its time. */
export function useNewParameter(isRequested: boolean | undefined, onNew: () => void): void {
  const navigate = useNavigate({ from: '/appointments' })
  useEffect(() => {
    if (!isRequested) return
    onNew()
    // Replaced, so that going back to this URL does not open the form again.
    void navigate({ to: '/appointments', search: ({ new: _, time: _time, ...rest }) => rest, replace: true })
    // Only when the URL changes: the callbacks are new at every render.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isRequested])
}

/**
 * Opens the appointment that the URL names, once, and removes that parameter. Names the failure when there is none. Shows everyone's
 * appointments when this one is not among those on screen.
 */
export function useAppointmentParameter(
  appointmentId: string | undefined,
  isShown: (appointment: Appointment) => boolean,
  onOpen: (appointment: Appointment) => void,
): void {
  const navigate = useNavigate({ from: '/appointments' })
  const router = useRouter()
  const queries = useQueryClient()
  const notify = useNotify()
  useEffect(() => {
    if (!appointmentId) return
    let isCancelled = false
    // While the next screen is loading, this one is still mounted.
    const hasLeft = () => isCancelled || router.latestLocation.pathname !== '/appointments'
    const removeParameter = (change: SearchChange) =>
      navigate({
        to: '/appointments',
        search: ({ appointment: _, ...rest }) => ({ ...rest, ...change }),
        replace: true,
      })
    queries
      .fetchQuery(appointmentQuery(appointmentId))
      .then(
        (appointment): SearchChange => {
          if (!hasLeft()) onOpen(appointment)
          return isShown(appointment) ? {} : { provider: 'all' }
        },
        (error: unknown): SearchChange => {
          if (!hasLeft())
            notify({ title: 'Failed to open the appointment', body: errorMessage(error), intent: 'error' })
          return {}
        },
      )
      .then((change) => {
        if (!hasLeft()) void removeParameter(change)
      })
    // A late reply neither leads back a user who has left the screen, nor removes the parameter of another appointment.
    return () => {
      isCancelled = true
    }
    // Only when the URL changes: the callbacks are new at every render.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [appointmentId])
}
