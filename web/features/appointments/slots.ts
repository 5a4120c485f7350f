import type { Appointment } from '#contracts/appointments.ts'
import { daySlots } from '#contracts/values/appointments.ts'
import { parseMinutes, toTimeString } from './local-time.ts'
import { overlaps, type Span } from './day/day-layout.ts'

type SlotAppointment = Pick<Appointment, 'localTime' | 'duration' | 'status' | 'providerId'>

/** Whether an appointment takes its provider's time: cancelled ones are only listed. */
export const blocksTime = ({ status }: Pick<Appointment, 'status'>): boolean => status !== 'cancelled'

/** An appointment as minutes of its day. */
export const toSpan = ({ localTime, duration }: Pick<Appointment, 'localTime' | 'duration'>): Span => ({
  start: parseMinutes(localTime),
  duration,
})

/** An appointment starts then, an earlier one still lasts, or nobody is there. */
export type SlotState = 'booked' | 'busy' | 'free'

/** What a slot of the day is. With several providers it is free as long as one of them is. */
export function getSlotState(slot: string, appointments: readonly SlotAppointment[], providers = 1): SlotState {
  const at = parseMinutes(slot)
  const kept = appointments.filter(blocksTime)
  const there = kept.filter((appointment) => {
    const { start, duration } = toSpan(appointment)
    return start <= at && start + duration > at
  })
  if (new Set(there.map(({ providerId }) => providerId)).size < providers) {
    // One who begins between this slot and the next is not in the way of starting now.
    return 'free'
  }
  return there.some(({ localTime }) => localTime === slot) ? 'booked' : 'busy'
}

/** How full a day is, 0 to 1: the share of its thirteen slots in which somebody is there. */
export function computeLoad(appointments: readonly SlotAppointment[], providers = 1): number {
  const spans = appointments
    .filter(blocksTime)
    .map((appointment) => ({ ...toSpan(appointment), providerId: appointment.providerId }))
  const taken = daySlots.flatMap((slot) => {
    const here = spans.filter((span) => overlaps(span, { start: parseMinutes(slot), duration: 30 }))
    return [...new Set(here.map(({ providerId }) => providerId))]
  })
  return Math.min(1, taken.length / (daySlots.length * Math.max(1, providers)))
}

/** Who is in the way of an appointment of this provider, earliest first. */
export function findConflicts<Each extends SlotAppointment & { id: string }>(
  wish: { providerId: string; time: string; duration: number; excluding?: string },
  appointments: readonly Each[],
): Each[] {
  const span = { start: parseMinutes(wish.time), duration: wish.duration }
  return appointments
    .filter(
      (appointment) =>
        appointment.id !== wish.excluding && appointment.providerId === wish.providerId && blocksTime(appointment),
    )
    .filter((appointment) => overlaps(toSpan(appointment), span))
    .toSorted((a, b) => a.localTime.localeCompare(b.localTime))
}

/** The slot after or before a time; beyond the first and the last it goes on in half hours. */
export function getAdjacentSlot(time: string, direction: 1 | -1): string {
  const beside =
    direction === 1 ? daySlots.find((slot) => slot > time) : daySlots.toReversed().find((slot) => slot < time)
  const at = beside ? parseMinutes(beside) : parseMinutes(time) + direction * 30
  return toTimeString(Math.min(1410, Math.max(0, at)))
}

/** The slots of a day at which a whole appointment of half an hour fits. */
export const findFreeSlots = (appointments: readonly SlotAppointment[]): string[] =>
  daySlots.filter(
    (slot) =>
      !appointments.some(
        (appointment) =>
          blocksTime(appointment) && overlaps(toSpan(appointment), { start: parseMinutes(slot), duration: 30 }),
      ),
  )

/** "Taken until 4:30 PM": when the last of those in the way ends, HH:mm. */
export const getLatestEnd = (appointments: readonly SlotAppointment[]): string =>
  toTimeString(Math.max(...appointments.map((appointment) => toSpan(appointment).start + appointment.duration)))
