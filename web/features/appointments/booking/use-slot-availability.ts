import { useQuery } from '@tanstack/react-query'
import type { Appointment, FreeSlot } from '#contracts/appointments.ts'
import { freeSlotsQuery, appointmentsQuery } from '../api.ts'
import { parseMinutes } from '../local-time.ts'
import type { SchedulingContext } from '../scheduling-context.ts'
import { findConflicts, getLatestEnd } from '../slots.ts'

type Wish = { date: string; time: string; duration: number; providerId: string; excluding?: string }

/** What is known of a wished time before anything is sent. */
export type SlotAvailability = {
  /** When those end who are there at a slot, HH:mm; null when nobody is. */
  getTakenUntil: (slot: string) => string | null
  /** Who is in the way of the wish. */
  conflicts: readonly Appointment[]
  /** The next times that are free, in order of time. */
  nextSlots: readonly FreeSlot[]
  /** The free times nearest to the wish, in order of time. */
  nearestSlots: readonly FreeSlot[]
}

const daysBetween = (a: string, b: string) => (Date.parse(b) - Date.parse(a)) / 86_400_000

/** The three free times nearest to a wished one, in order of time. */
export function findNearestSlots({ date, time }: Pick<Wish, 'date' | 'time'>, free: readonly FreeSlot[]): FreeSlot[] {
  const distance = (slot: FreeSlot) =>
    Math.abs(daysBetween(date, slot.localDate) * 1440 + parseMinutes(slot.localTime) - parseMinutes(time))
  return free
    .toSorted((a, b) => distance(a) - distance(b))
    .slice(0, 3)
    .toSorted((a, b) => a.start.localeCompare(b.start))
}

/** Looks at the provider's day and at what is free around it. */
export function useSlotAvailability(wish: Wish, { timeZone: zone, today }: SchedulingContext): SlotAvailability {
  const { date, time, duration, providerId, excluding } = wish
  const real = /^20\d\d-\d\d-\d\d$/.test(date)
  const day = useQuery({ ...appointmentsQuery({ from: date, until: date, zone }), enabled: real && zone !== '' })
  const free = useQuery({
    ...freeSlotsQuery({
      ...(providerId ? { providerId } : {}),
      // From now on today; from the morning on another day.
      ...(date === today ? {} : { from: `${date}T00:00` }),
      duration,
      limit: 60,
      ...(excluding ? { excluding } : {}),
    }),
    enabled: real,
  })
  const at = (slot: string, length: number) =>
    findConflicts({ providerId, time: slot, duration: length, ...(excluding ? { excluding } : {}) }, day.data ?? [])
  const slots = free.data ?? []
  return {
    getTakenUntil: (slot) => {
      const there = at(slot, duration)
      return there.length === 0 ? null : getLatestEnd(there)
    },
    conflicts: time ? at(time, duration) : [],
    nextSlots: slots.slice(0, 3),
    nearestSlots: time ? findNearestSlots({ date, time }, slots) : [],
  }
}
