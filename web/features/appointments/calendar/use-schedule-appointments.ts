import { addDays } from '#contracts/values/calendar.ts'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { ProviderId } from '#contracts/values/ids.ts'
import { listDaySlots, type WorkCalendar } from '#contracts/values/working-hours.ts'
import { appointmentsQuery } from '../api.ts'
import { addMonths, getWeekDays } from '../calendar-dates.ts'
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

/** Query for the appointments of a date's month. */
export const monthQuery = (date: string, zone: string) =>
  appointmentsQuery({ from: `${date.slice(0, 7)}-01`, until: addDays(addMonths(date, 1), -1), zone })

/** Loads a month and returns a function for the load of each of its days, 0 to 1. */
export function useMonthLoads(
  month: string,
  { timeZone: zone }: SchedulingContext,
  { provider, providerCount }: Pick<ScheduleAppointments, 'provider' | 'providerCount'>,
  calendar: WorkCalendar,
): (day: string) => number {
  const { data } = useQuery(monthQuery(month, zone))
  const loads = useMemo(() => {
    const byDay = Map.groupBy(
      (data ?? []).filter((appointment) => !provider || appointment.providerId === provider),
      ({ localDate }) => localDate,
    )
    return new Map(
      [...byDay].map(([day, appointments]) => [
        day,
        computeLoad(appointments, providerCount, listDaySlots(calendar, day)),
      ]),
    )
  }, [data, provider, providerCount, calendar])
  return (day) => loads.get(day) ?? 0
}
