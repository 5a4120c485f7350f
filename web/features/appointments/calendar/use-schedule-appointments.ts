import { groupBy } from '#web/ui/group-by.ts'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { ProviderId } from '#contracts/values/ids.ts'
import { listDaySlots, type WorkCalendar } from '#contracts/values/working-hours.ts'
import { appointmentsQuery, busyDaysQuery } from '../api.ts'
import { getMonthWithWeeks, getWeekDays, isKnownMonth } from '../calendar-dates.ts'
import { type SchedulingContext, sortByTime } from '../scheduling-context.ts'
import { computeLoad } from '../slots.ts'
import { applyFilters, matchesFilters } from './appointments-search.ts'
import type { ScheduleSearch } from './use-schedule-search.ts'

/** Loads and filters the appointments of the day or week on screen. `ownId` is the provider whose schedule is the default. */
export function useScheduleAppointments(
  { timeZone: zone, allProviders, activeProviders }: SchedulingContext,
  { search, date, view }: ScheduleSearch,
  ownId: ProviderId | undefined,
) {
  const days = view === 'week' ? getWeekDays(date) : [date]
  const list = useQuery(appointmentsQuery({ from: days[0] ?? date, until: days.at(-1) ?? date, zone }))
  const filters = useMemo(
    () =>
      applyFilters(
        search,
        ownId,
        allProviders.map(({ id }) => id),
      ),
    [search, ownId, allProviders],
  )
  const { provider } = filters
  const providerAppointments = useMemo(
    () =>
      sortByTime(list.data ?? [], allProviders).filter(
        (appointment) => !provider || appointment.providerId === provider,
      ),
    [list.data, allProviders, provider],
  )
  const filtered = useMemo(() => providerAppointments.filter(matchesFilters(filters)), [providerAppointments, filters])
  return {
    list,
    filters,
    provider,
    /** All appointments of the chosen provider, and the ones that match every filter. */
    providerAppointments,
    filtered,
    providerCount: provider ? 1 : Math.max(1, activeProviders.length),
  }
}

export type ScheduleAppointments = ReturnType<typeof useScheduleAppointments>

/**
 * Loads how full the days of a date's month and of its weeks are, and returns a function for the load of each of them, 0 to 1; null
 * while it is not known.
 */
export function useMonthLoads(
  month: string,
  { timeZone: zone }: SchedulingContext,
  { provider, providerCount }: Pick<ScheduleAppointments, 'provider' | 'providerCount'>,
  calendar: WorkCalendar,
): (day: string) => number | null {
  const { data } = useQuery({ ...busyDaysQuery(month, zone), enabled: zone !== '' && isKnownMonth(month) })
  const loads = useMemo(() => {
    const shown = data?.filter(({ providerId }) => !provider || providerId === provider)
    const byDay = shown && groupBy(shown, ({ date }) => date)
    return (
      byDay &&
      new Map([...byDay].map(([day, busy]) => [day, computeLoad(busy, providerCount, listDaySlots(calendar, day))]))
    )
  }, [data, provider, providerCount, calendar])
  const { from, until } = getMonthWithWeeks(month)
  return (day) => (loads && day >= from && day <= until ? (loads.get(day) ?? 0) : null)
}
