import type { Appointment, BusyDay } from '#contracts/appointments.ts'
import { daySlots } from '#contracts/values/appointments.ts'
import { parseMinutes, toTimeString } from './local-time.ts'
import { overlaps, type Span } from './day/day-layout.ts'

type SlotAppointment = Pick<Appointment, 'localTime' | 'duration' | 'status' | 'providerId'>

/** Returns whether an appointment takes its provider's time; cancelled ones are only listed. */
export const blocksTime = ({ status }: Pick<Appointment, 'status'>): boolean => status !== 'cancelled'

/** Returns the start and duration of an appointment in minutes of its day. */
export const toSpan = ({ localTime, duration }: Pick<Appointment, 'localTime' | 'duration'>): Span => ({
  start: parseMinutes(localTime),
  duration,
})

/** `booked`: an appointment starts in the slot. `busy`: an earlier one still lasts. */
export type SlotState = 'booked' | 'busy' | 'free'

/** Returns the state of a slot. With several providers it is free as long as one of them is. */
export function getSlotState(slot: string, appointments: readonly SlotAppointment[], providers = 1): SlotState {
  const slotStart = parseMinutes(slot)
  const present = appointments.filter(blocksTime).filter((appointment) => {
    const { start, duration } = toSpan(appointment)
    return start <= slotStart && start + duration > slotStart
  })
  // An appointment that starts between this slot and the next one does not block the start of the slot.
  if (new Set(present.map(({ providerId }) => providerId)).size < providers) return 'free'
  return present.some(({ localTime }) => localTime === slot) ? 'booked' : 'busy'
}

/**
 * Returns the load of a day, 0 to 1: the share of its slots that are taken. `busy` has one element for each provider. A day without
 * slots is full with any appointment.
 */
export function computeLoad(
  busy: readonly Pick<BusyDay, 'times'>[],
  providers = 1,
  slots: readonly string[] = daySlots,
): number {
  if (slots.length === 0) return busy.some(({ times }) => times.length > 0) ? 1 : 0
  const taken = busy.flatMap(({ times }) => {
    const spans = times.map(toSpan)
    return slots.filter((slot) => spans.some((span) => overlaps(span, { start: parseMinutes(slot), duration: 30 })))
  })
  return Math.min(1, taken.length / (slots.length * Math.max(1, providers)))
}

/** Returns the appointments that overlap a requested time of a provider, earliest first. */
export function findConflicts<Each extends SlotAppointment & { id: string }>(
  requested: { providerId: string; time: string; duration: number; excluding?: string },
  appointments: readonly Each[],
): Each[] {
  const span = { start: parseMinutes(requested.time), duration: requested.duration }
  return appointments
    .filter(
      (appointment) =>
        appointment.id !== requested.excluding &&
        appointment.providerId === requested.providerId &&
        blocksTime(appointment),
    )
    .filter((appointment) => overlaps(toSpan(appointment), span))
    .toSorted((a, b) => a.localTime.localeCompare(b.localTime))
}

/** Returns the slot after or before a time; beyond the first and the last slot in half hours. */
export function getAdjacentSlot(time: string, direction: 1 | -1, slots: readonly string[] = daySlots): string {
  const adjacent = direction === 1 ? slots.find((slot) => slot > time) : slots.findLast((slot) => slot < time)
  const minutes = adjacent ? parseMinutes(adjacent) : parseMinutes(time) + direction * 30
  return toTimeString(Math.min(1410, Math.max(0, minutes)))
}

/** Returns the slots of a day in which an appointment of half an hour fits. */
export const findFreeSlots = (
  appointments: readonly SlotAppointment[],
  slots: readonly string[] = daySlots,
): string[] =>
  slots.filter(
    (slot) =>
      !appointments.some(
        (appointment) =>
          blocksTime(appointment) && overlaps(toSpan(appointment), { start: parseMinutes(slot), duration: 30 }),
      ),
  )

/** Returns when the last of some appointments ends, HH:mm. */
export const getLatestEnd = (appointments: readonly SlotAppointment[]): string =>
  toTimeString(Math.max(...appointments.map((appointment) => toSpan(appointment).start + appointment.duration)))
