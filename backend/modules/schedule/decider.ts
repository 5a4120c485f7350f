import type { AppointmentId, ReservationId, PatientId } from '#contracts/values/ids.ts'
import { type Decider, reject, type Rejection } from '#eventstore/decider.ts'
import { ScheduleEvent } from './events.ts'

type Held = Exclude<ScheduleEvent, { type: 'SlotGivenUp' | 'SlotReleased' }>

/** What can be asked of one day of a provider. In `fact` the overlaps are those of the appointment's other day, when it has two. */
export type ScheduleCommand =
  | { type: 'Hold'; fact: Held; allowOverlap: boolean }
  /** Makes sure that it will never be held here, unless it is. */
  | { type: 'GiveUp'; holdId: ReservationId; appointmentId: AppointmentId }
  | { type: 'Release'; holdId: ReservationId }

/** A time that is held. Instants in milliseconds. */
export type Reservation = {
  holdId: ReservationId
  appointmentId: AppointmentId
  patientId: PatientId
  from: number
  until: number
  overlaps: readonly AppointmentId[]
}

/** A day: what is held, and what was and will never be again. */
export type ScheduleState = { holds: readonly Reservation[]; over: readonly ReservationId[] }

/** `given-up`: somebody else ended this try. */
export type ScheduleRefusal = 'slot-taken' | 'given-up'

/** Why a slot was refused: who has it, and what else is held that day. */
export type SlotTakenRejection = Rejection<'slot-taken'> & { by: Reservation; busy: readonly Reservation[] }

/** The rule: nobody sees two patients at a time by accident. Streams are named `schedule-<provider>-<day>`. */
export const scheduleDecider: Decider<ScheduleCommand, ScheduleEvent, ScheduleState, ScheduleRefusal> = {
  category: 'schedule',
  events: ScheduleEvent,
  initial: { holds: [], over: [] },
  decide,
  evolve,
}

function decide(command: ScheduleCommand, state: ScheduleState) {
  if (command.type === 'Hold') return hold(command, state)
  const { holdId } = command
  const held = state.holds.find((each) => each.holdId === holdId)
  if (command.type === 'Release')
    return held ? [{ type: 'SlotReleased', data: { holdId, appointmentId: held.appointmentId } } as const] : []
  if (held || state.over.includes(holdId)) return []
  return [{ type: 'SlotGivenUp', data: { holdId, appointmentId: command.appointmentId } } as const]
}

function hold({ fact, allowOverlap }: Extract<ScheduleCommand, { type: 'Hold' }>, { holds, over }: ScheduleState) {
  const asked = toReservation(fact)
  if (holds.some(({ holdId }) => holdId === asked.holdId)) return []
  if (over.includes(asked.holdId))
    return reject<ScheduleRefusal>('given-up', 'This took too long and was ended. Please try again.')
  const others = holds.filter(({ appointmentId }) => appointmentId !== asked.appointmentId)
  const inTheWay = others.filter(({ from, until }) => from < asked.until && asked.from < until)
  const own = holds.filter(({ appointmentId }) => appointmentId === asked.appointmentId)
  // Two that were put together knowingly may stay together: making one of them shorter asks nobody again.
  const agreed = (other: Reservation) =>
    other.overlaps.includes(asked.appointmentId) ||
    own.some(({ overlaps }) => overlaps.includes(other.appointmentId)) ||
    asked.overlaps.includes(other.appointmentId)
  const [by] = allowOverlap ? [] : inTheWay.filter((other) => !agreed(other)).toSorted((a, b) => a.from - b.from)
  if (by)
    return {
      ...reject<'slot-taken'>('slot-taken', 'This time has just been taken.', 'appointmentDate'),
      by,
      busy: others,
    } satisfies SlotTakenRejection
  const overlaps = [...new Set([...fact.data.place.overlaps, ...inTheWay.map(({ appointmentId }) => appointmentId)])]
  return [{ ...fact, data: { ...fact.data, place: { ...fact.data.place, overlaps } } } as Held]
}

function toReservation({ data: { appointmentId, patientId, place } }: Held): Reservation {
  const from = Date.parse(place.startsAt)
  const { holdId, overlaps } = place
  return { holdId, appointmentId, patientId, from, until: from + place.duration * 60_000, overlaps }
}

function evolve({ holds, over }: ScheduleState, event: ScheduleEvent): ScheduleState {
  if (event.type !== 'SlotGivenUp' && event.type !== 'SlotReleased')
    return { holds: [...holds, toReservation(event)], over }
  const { holdId } = event.data
  return { holds: holds.filter((held) => held.holdId !== holdId), over: [...over, holdId] }
}
