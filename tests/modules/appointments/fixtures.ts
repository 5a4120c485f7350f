import { AppointmentId, ReservationId, PatientId, PracticeId, ProviderId } from '#contracts/values/ids.ts'
import type { ReservationEvent, Slot } from '#modules/schedule/events.ts'

/** Returns a readable id: `kind` names the record type, `n` the record. */
export const uuid = (kind: number, n: number) =>
  `00000000-0000-4000-8${String(kind).padStart(3, '0')}-${String(n).padStart(12, '0')}`

export const practiceId = PracticeId.parse(uuid(1, 1))
export const patientId = PatientId.parse(uuid(2, 1))
export const provider = (n: number) => ProviderId.parse(uuid(3, n))
export const appointment = (n: number) => AppointmentId.parse(uuid(4, n))
export const reservation = (n: number) => ReservationId.parse(uuid(5, n))

const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10)

/** Returns a slot in a practice in UTC. `startsAt` is written like 2026-11-20T09:00. */
export function slot(over: { reservation: number; startsAt?: string; duration?: number; provider?: number }): Slot {
  const { startsAt = '2026-11-20T09:00', duration = 30 } = over
  const from = Date.parse(`${startsAt}:00.000Z`)
  const days = [...new Set([dayOf(from), dayOf(from + duration * 60_000 - 1)])]
  const providerId = provider(over.provider ?? 1)
  return {
    reservationId: reservation(over.reservation),
    providerId,
    startsAt: new Date(from).toISOString(),
    duration,
    days,
    overlaps: [],
  }
}

type Booking = Extract<ReservationEvent, { type: 'SlotReservedForBooking' }>
type Move = Extract<ReservationEvent, { type: 'SlotReservedForMove' }>

/** Returns the reservation of a slot for a new appointment. */
export const reservedForBooking = (n: number, newSlot: Slot, over: Partial<Booking['data']> = {}): Booking => ({
  type: 'SlotReservedForBooking',
  data: {
    appointmentId: appointment(n),
    practiceId,
    patientId,
    slot: newSlot,
    type: 'consultation',
    reason: 'Cough',
    notes: null,
    status: 'scheduled',
    completion: null,
    seriesId: null,
    waitlistEntryId: null,
    ...over,
  },
})

/** Returns the reservation of a slot for an appointment that moves. */
export const reservedForMove = (
  n: number,
  newSlot: Slot,
  previous: number,
  over: Partial<Move['data']> = {},
): Move => ({
  type: 'SlotReservedForMove',
  data: {
    appointmentId: appointment(n),
    practiceId,
    patientId,
    slot: newSlot,
    previousReservationId: reservation(previous),
    expectedRevision: null,
    change: {},
    completion: null,
    waitlistEntryId: null,
    ...over,
  },
})

/** The context of all commands in the tests. */
export const context = {
  practiceId,
  actor: { kind: 'process', name: 'test' },
  correlationId: uuid(9, 1),
} as const
