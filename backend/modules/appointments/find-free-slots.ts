import type { CommonQueryMethods } from 'slonik'
import type { FreeSlot } from '#contracts/appointments.ts'
import { addDays, toLocalDate } from '#contracts/values/calendar.ts'
import type { AppointmentId, ProviderId } from '#contracts/values/ids.ts'
import { dayBounds } from '#modules/kit/local-time.ts'
import type { RecordScope } from '#modules/samples/public.ts'
import { findWorkCalendar } from '#modules/working-hours/public.ts'
import { computeFreeSlots } from './free-slots.ts'
import { findHeldSlots } from './held-slots.ts'
import { findBusySlots } from './queries.ts'

/**
 * A search for free slots from an instant (ISO) on; `duration` in minutes. `excluding` counts as free, and so do the times that are
 * kept for its patient. `now` is the current instant (ISO).
 */
export type FreeSlotSearch = {
  providerId: ProviderId
  /** The practice's time zone (IANA). */
  zone: string
  duration: number
  from: string
  days: number
  now: string
  excluding?: AppointmentId | undefined
}

/**
 * Finds the free slots of a provider on the days on which the practice and the provider work, in order, without those that a
 * patient is choosing from at the moment.
 */
export async function findFreeSlots(
  db: CommonQueryMethods,
  scope: RecordScope,
  { excluding, now, ...search }: FreeSlotSearch,
): Promise<FreeSlot[]> {
  const { providerId, zone, from, days } = search
  const first = toLocalDate(from, zone)
  const dates = { from: first, until: addDays(first, days + 1) }
  const [booked, held, calendar] = await Promise.all([
    findBusySlots(db, scope, providerId, from, dayBounds(dates.until, zone).until),
    findHeldSlots(db, scope.practiceId, providerId, now),
    findWorkCalendar(db, scope.practiceId, dates),
  ])
  const busy = [...booked, ...held].filter(({ appointmentId }) => appointmentId !== excluding)
  return computeFreeSlots({ ...search, busy, calendar })
}
