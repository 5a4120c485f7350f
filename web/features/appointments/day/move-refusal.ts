import type { Appointment, SlotTaken } from '#contracts/appointments.ts'
import type { BookingConcern } from '#contracts/values/appointments.ts'
import { parseSlotTaken } from '../booking/appointment-form.ts'
import { type Concerns, parseConcerns } from '../booking/use-confirmation.ts'

/** A move that the server refused because another appointment has the slot, or because something has to be confirmed. */
export type RejectedMove = {
  appointment: Appointment
  date: string
  time: string
  duration: number
  providerId: string
  /** Exactly one of these is null. */
  slot: SlotTaken | null
  concerns: Concerns | null
  /** The overlap and concerns that the user has accepted so far. */
  allowOverlap: boolean
  confirmed: readonly BookingConcern[]
}

/** Returns why the server refused a move, when the user can decide to move the appointment all the same. */
export function parseRefusal(error: unknown): Pick<RejectedMove, 'slot' | 'concerns'> | null {
  const [slot, concerns] = [parseSlotTaken(error), parseConcerns(error)]
  return slot || concerns ? { slot, concerns } : null
}
