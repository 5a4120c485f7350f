import type { QueryKey } from '@tanstack/react-query'
import type { ChangeHint } from '#contracts/changes.ts'
import type { LiveUpdateRule } from '#web/api/live-updates.ts'

/** Range of dates on the practice's calendar, YYYY-MM-DD, both inclusive. */
type DateRange = { from: string; until: string }

const all = ['appointments'] as const
const days = [...all, 'days'] as const
const allBusyDays = [...all, 'busy'] as const
const allFreeSlots = [...all, 'free'] as const

/** Query keys of appointments. */
export const appointmentKeys = {
  all,
  today: [...all, 'today'],
  /** Appointments by date range. */
  days,
  ofPatient: (query: object) => [...all, 'patient', query],
  /** With the time zone: after a change of it, the same dates are other instants. */
  inRange: ({ from, until }: DateRange, zone: string) => [...days, { from, until }, zone],
  allBusyDays,
  busyDays: ({ from, until }: DateRange, zone: string) => [...allBusyDays, { from, until }, zone],
  searchResults: (search: string) => [...all, 'search', search],
  one: (appointmentId: string) => [...all, 'one', appointmentId],
  allFreeSlots,
  freeSlots: (query: object) => [...allFreeSlots, query],
  series: (seriesId: string) => [...all, 'series', seriesId],
  seriesPlan: (plan: object | null) => [...all, 'series-plan', plan],
} as const

const getDateRange = ([, name, range]: QueryKey): DateRange | null =>
  (name === days[1] || name === allBusyDays[1]) && typeof range === 'object' ? (range as DateRange) : null

/** Returns whether a query may show one of the changed dates; queries without a date range always may. */
export function isAffectedByDates(queryKey: QueryKey, { dates }: Partial<ChangeHint>): boolean {
  const range = getDateRange(queryKey)
  return !range || !dates || dates.some((date) => date >= range.from && date <= range.until)
}

export const appointmentLiveUpdates: LiveUpdateRule = {
  // The details show whether the appointment is covered.
  queryKeys: { appointments: [all], practice: [all], insurance: [[...all, 'one']] },
  isAffected: isAffectedByDates,
}
