import { AppointmentId, ReservationId, PatientId, PracticeId, ProviderId } from '#contracts/values/ids.ts'
import type { Slot } from '#modules/appointments/events.ts'
import type { ReservationEvent } from '#modules/appointments/reservations.ts'

/** An id that says where it belongs, for tests that are read by people. */
export const uuid = (kind: number, n: number) =>
  `00000000-0000-4000-8${String(kind).padStart(3, '0')}-${String(n).padStart(12, '0')}`

export const practiceId = PracticeId.parse(uuid(1, 1))
export const patientId = PatientId.parse(uuid(2, 1))
export const provider = (n: number) => ProviderId.parse(uuid(3, n))
export const appointment = (n: number) => AppointmentId.parse(uuid(4, n))
export const hold = (n: number) => ReservationId.parse(uuid(5, n))

const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10)

/** A place in a practice whose clocks show UTC. `startsAt` as in 2026-11-20T09:00. */
export function place(over: { hold: number; startsAt?: string; duration?: number; provider?: number }): Slot {
  const { startsAt = '2026-11-20T09:00', duration = 30 } = over
  const from = Date.parse(`${startsAt}:00.000Z`)
  const days = [...new Set([dayOf(from), dayOf(from + duration * 60_000 - 1)])]
  const providerId = provider(over.provider ?? 1)
  return { holdId: hold(over.hold), providerId, startsAt: new Date(from).toISOString(), duration, days, overlaps: [] }
}

type Booking = Extract<ReservationEvent, { type: 'SlotHeldForBooking' }>
type Move = Extract<ReservationEvent, { type: 'SlotHeldForMove' }>

/** A place held for a new appointment. */
export const heldForBooking = (n: number, at: Slot, over: Partial<Booking['data']> = {}): Booking => ({
  type: 'SlotHeldForBooking',
  data: {
    appointmentId: appointment(n),
    practiceId,
    patientId,
    place: at,
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

/** A place held for an appointment that has another one. */
export const heldForMove = (n: number, at: Slot, leaves: number, over: Partial<Move['data']> = {}): Move => ({
  type: 'SlotHeldForMove',
  data: {
    appointmentId: appointment(n),
    practiceId,
    patientId,
    place: at,
    leaves: hold(leaves),
    madeOn: null,
    change: {},
    completion: null,
    waitlistEntryId: null,
    ...over,
  },
})

/** In whose name tests act. */
export const context = {
  practiceId,
  actor: { kind: 'process', name: 'test' },
  correlationId: uuid(9, 1),
} as const
