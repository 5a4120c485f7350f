import type { AppointmentType } from '#contracts/values/appointments.ts'
import type { AppointmentId, PatientId, ReservationId } from '#contracts/values/ids.ts'
import { type Decider, type MarkedEvent, reject, type Rejection } from '#eventstore/decider.ts'
import { ScheduleEvent, type SlotReserved } from './events.ts'

/** Commands for one day of a provider. */
export type ScheduleCommand =
  /** The overlaps in `event` are those of the appointment's other day, when it has two. */
  | { type: 'Reserve'; event: SlotReserved; allowOverlap: boolean }
  /** Ensures that the reservation is never accepted, unless it already was. */
  | { type: 'Withdraw'; reservationId: ReservationId; appointmentId: AppointmentId }
  | { type: 'Release'; reservationId: ReservationId }

/**
 * A reserved slot. `from` and `until` are instants in milliseconds. `bookedType` is the type of an appointment that was booked
 * here; null when it was moved here. `isSample`: it was reserved for a sample appointment.
 */
export type Reservation = {
  reservationId: ReservationId
  appointmentId: AppointmentId
  patientId: PatientId
  from: number
  until: number
  overlaps: readonly AppointmentId[]
  bookedType: AppointmentType | null
  isSample: boolean
}

/** One day: the current reservations, and the ids of released and withdrawn ones, which are never accepted again. */
export type ScheduleState = { reservations: readonly Reservation[]; closedIds: readonly ReservationId[] }

/**
 * `reservation-withdrawn`: the follow-up job has abandoned this attempt. `already-booked`: not even an allowed overlap books
 * the same appointment twice.
 */
export type ScheduleRejection = 'slot-taken' | 'reservation-withdrawn' | 'already-booked'

/** The refusal of a slot: the reservation in conflict, and all other reservations of the day. */
export type SlotTakenRejection = Rejection<'slot-taken'> & { conflict: Reservation; busy: readonly Reservation[] }

/** The rules of one day of a provider, which refuse double bookings. Streams are named `schedule-<provider>-<day>`. */
export const scheduleDecider: Decider<ScheduleCommand, ScheduleEvent, ScheduleState, ScheduleRejection> = {
  category: 'schedule',
  events: ScheduleEvent,
  initial: { reservations: [], closedIds: [] },
  decide,
  evolve,
}

type Decision = readonly ScheduleEvent[] | Rejection<ScheduleRejection> | SlotTakenRejection
type Of<Type extends ScheduleCommand['type']> = Extract<ScheduleCommand, { type: Type }>

function decide(command: ScheduleCommand, state: ScheduleState): Decision {
  if (command.type === 'Reserve') return reserve(command, state)
  return command.type === 'Release' ? release(command, state) : withdraw(command, state)
}

/** Refuses a double booking, unless the overlap is allowed or was accepted before. A repetition writes nothing. */
function reserve({ event, allowOverlap }: Of<'Reserve'>, { reservations, closedIds }: ScheduleState): Decision {
  const wanted = toReservation(event)
  if (reservations.some(({ reservationId }) => reservationId === wanted.reservationId)) return []
  if (closedIds.includes(wanted.reservationId))
    return reject('reservation-withdrawn', 'This took too long and was ended. Please try again.')
  // An appointment may grow or move across its own slot.
  const own = reservations.filter(({ appointmentId }) => appointmentId === wanted.appointmentId)
  const others = reservations.filter(({ appointmentId }) => appointmentId !== wanted.appointmentId)
  const overlapping = others.filter(({ from, until }) => from < wanted.until && wanted.from < until)
  // An overlap that was once accepted stays accepted when one of the two appointments becomes shorter.
  const isAccepted = (other: Reservation) =>
    other.overlaps.includes(wanted.appointmentId) ||
    own.some(({ overlaps }) => overlaps.includes(other.appointmentId)) ||
    wanted.overlaps.includes(other.appointmentId)
  const conflicts = allowOverlap ? [] : overlapping.filter((other) => !isAccepted(other))
  const [conflict] = conflicts.toSorted((a, b) => a.from - b.from)
  if (conflict)
    return {
      ...reject<'slot-taken'>('slot-taken', 'This time has just been taken.', 'appointmentDate'),
      conflict,
      busy: others,
    } satisfies SlotTakenRejection
  if (overlapping.some((other) => isSameBooking(other, wanted)))
    return reject(
      'already-booked',
      'This patient has this appointment already. It was not booked a second time.',
      'appointmentDate',
    )
  const { slot } = event.data
  const overlaps = [...new Set([...slot.overlaps, ...overlapping.map(({ appointmentId }) => appointmentId)])]
  return [{ ...event, data: { ...event.data, slot: { ...slot, overlaps } } } as SlotReserved]
}

/**
 * Returns whether a reservation repeats a booking that is there already: its reply was lost, and the request was sent again as
 * a new one, such as after a reload.
 */
const isSameBooking = (one: Reservation, other: Reservation) =>
  one.bookedType !== null &&
  one.bookedType === other.bookedType &&
  one.patientId === other.patientId &&
  one.from === other.from &&
  one.until === other.until &&
  one.isSample === other.isSample

function release({ reservationId }: Of<'Release'>, { reservations }: ScheduleState): Decision {
  const reservation = reservations.find((each) => each.reservationId === reservationId)
  if (!reservation) return []
  return [{ type: 'SlotReleased', data: { reservationId, appointmentId: reservation.appointmentId } }]
}

function withdraw({ reservationId, appointmentId }: Of<'Withdraw'>, state: ScheduleState): Decision {
  const isReserved = state.reservations.some((each) => each.reservationId === reservationId)
  if (isReserved || state.closedIds.includes(reservationId)) return []
  return [{ type: 'ReservationWithdrawn', data: { reservationId, appointmentId } }]
}

function toReservation({ type, data, metadata }: MarkedEvent<SlotReserved>): Reservation {
  const { appointmentId, patientId, slot } = data
  const { reservationId, overlaps, startsAt, duration } = slot
  const from = Date.parse(startsAt)
  const until = from + duration * 60_000
  const bookedType = type === 'SlotReservedForBooking' ? data.type : null
  const isSample = metadata?.sample ?? false
  return { reservationId, appointmentId, patientId, from, until, overlaps, bookedType, isSample }
}

function evolve({ reservations, closedIds }: ScheduleState, event: MarkedEvent<ScheduleEvent>): ScheduleState {
  if (event.type !== 'ReservationWithdrawn' && event.type !== 'SlotReleased')
    return { reservations: [...reservations, toReservation(event)], closedIds }
  const { reservationId } = event.data
  return {
    reservations: reservations.filter((each) => each.reservationId !== reservationId),
    closedIds: [...closedIds, reservationId],
  }
}
