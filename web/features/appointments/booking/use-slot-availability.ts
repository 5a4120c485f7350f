import { useQuery } from '@tanstack/react-query'
import type { Appointment, FreeSlot } from '#contracts/appointments.ts'
import { freeSlotsQuery, appointmentsQuery } from '../api.ts'
import { parseMinutes } from '../local-time.ts'
import type { SchedulingContext } from '../scheduling-context.ts'
import { findConflicts, getLatestEnd } from '../slots.ts'
import { useWorkCalendar } from '../work-calendar.ts'
import { getWorkingDay, listFormSlots } from '../working-day.ts'

type RequestedSlot = { date: string; time: string; duration: number; providerId: string; excluding?: string }

/** Availability of the requested slot, known before anything is sent. */
export type SlotAvailability = {
  /** The start times to choose from, HH:mm. */
  slots: readonly string[]
  /** The reason that there is no work on the day: a holiday, a closed weekday, or a day off of the provider; null on a working day. */
  dayNote: string | null
  /** Returns when the last conflicting appointment ends, HH:mm; null when the slot is free. */
  getTakenUntil: (slot: string) => string | null
  /** The appointments that overlap the requested slot. */
  conflicts: readonly Appointment[]
  /** The next free slot for this duration; undefined while it is loading. */
  nextSlot: FreeSlot | undefined
  /** The next free slots, in order of time; those for the previous request while they are loading. */
  nextSlots: readonly FreeSlot[]
  /** The free slots nearest to the requested one, in order of time. */
  nearestSlots: readonly FreeSlot[]
}

const daysBetween = (a: string, b: string) => (Date.parse(b) - Date.parse(a)) / 86_400_000

/** Returns the three free slots nearest to the requested one, in order of time. */
export function findNearestSlots(
  { date, time }: Pick<RequestedSlot, 'date' | 'time'>,
  freeSlots: readonly FreeSlot[],
): FreeSlot[] {
  const distance = (slot: FreeSlot) =>
    Math.abs(daysBetween(date, slot.localDate) * 1440 + parseMinutes(slot.localTime) - parseMinutes(time))
  return freeSlots
    .toSorted((a, b) => distance(a) - distance(b))
    .slice(0, 3)
    .toSorted((a, b) => a.start.localeCompare(b.start))
}

/** Loads the provider's day and the free slots around it. */
export function useSlotAvailability(
  requested: RequestedSlot,
  { timeZone: zone, today, allProviders }: SchedulingContext,
): SlotAvailability {
  const { date, time, duration, providerId, excluding } = requested
  const isDate = /^20\d\d-\d\d-\d\d$/.test(date)
  const day = useQuery({ ...appointmentsQuery({ from: date, until: date, zone }), enabled: isDate && zone !== '' })
  const free = useQuery({
    ...freeSlotsQuery({
      ...(providerId ? { providerId } : {}),
      // Today from now on.
      ...(date === today ? {} : { from: date }),
      duration,
      limit: 60,
      ...(excluding ? { excluding } : {}),
    }),
    enabled: isDate,
  })
  const findConflictsAt = (slot: string) =>
    findConflicts({ providerId, time: slot, duration, ...(excluding ? { excluding } : {}) }, day.data ?? [])
  const slots = free.data ?? []
  const { calendar } = useWorkCalendar(date)
  const requestedProvider = allProviders.filter(({ id }) => id === providerId)
  return {
    slots: listFormSlots(calendar, date),
    dayNote: isDate ? (getWorkingDay(calendar, date, requestedProvider).notes[0] ?? null) : null,
    getTakenUntil: (slot) => {
      const conflicts = findConflictsAt(slot)
      return conflicts.length === 0 ? null : getLatestEnd(conflicts)
    },
    conflicts: time ? findConflictsAt(time) : [],
    nextSlot: free.isPlaceholderData ? undefined : slots[0],
    nextSlots: slots.slice(0, 3),
    nearestSlots: time ? findNearestSlots({ date, time }, slots) : [],
  }
}
