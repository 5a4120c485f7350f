import { isInSupportedYears, unsupportedYearMessage } from '#contracts/values/appointments.ts'
import { type AppointmentId, type ProviderId, ReservationId } from '#contracts/values/ids.ts'
import type { CommandContext } from '#eventstore/command.ts'
import type { CommandBus, CommandsFor, JointOptions } from '#eventstore/command-bus.ts'
import { CommandRejected } from '#eventstore/command-errors.ts'
import type { EventStore } from '#eventstore/event-store.ts'
import type { DomainEvent, Recorded } from '#eventstore/event.ts'
import { fieldError, ProblemError } from '#http/problems.ts'
import { toLocalDateTime } from '#contracts/values/calendar.ts'
import { parseTime, touchedDays } from '#modules/kit/local-time.ts'
import { type Reservation, type ScheduleCommand, scheduleDecider, type SlotTakenRejection } from './decider.ts'
import type { ReservationEvent, ScheduleEvent, Slot, SlotReserved } from './events.ts'

/** The ids of a reserved slot, without patient data. */
export type SlotReference = { reservationId: ReservationId; providerId: string; days: readonly string[] }

/** A slot that is reserved on a day. */
export type ReservedSlot = Reservation

const scheduleId = (providerId: string, day: string) => `${providerId}-${day}`

/** Returns the key that makes the event ids of a reservation and of its later steps repeatable. */
export const reservationKey = (reservationId: ReservationId): string => `reservation ${reservationId}`

/** Creates a slot with a new reservation id; it is not reserved yet. */
export const createSlot = (
  { id, timezone }: { id: ProviderId; timezone: string },
  startsAt: string,
  duration: number,
  reservationId: string,
): Slot => ({
  reservationId: ReservationId.parse(reservationId),
  providerId: id,
  startsAt,
  duration,
  days: touchedDays(startsAt, duration, timezone),
  overlaps: [],
})

/**
 * Parses the start of an appointment as entered. Throws 422 with `nextValid` for a local time that a clock change skips,
 * and 422 for a year that no list can show.
 */
export function parseStart(text: string, zone: string, path = 'appointmentDate'): string {
  const parsed = parseTime(text, zone)
  if ('instant' in parsed) {
    if (!isInSupportedYears(toLocalDateTime(parsed.instant, zone).date)) throw fieldError(path, unsupportedYearMessage)
    return parsed.instant
  }
  const { nextValid } = parsed
  const message = `This time does not exist that day, because of daylight saving time. The next valid time is ${nextValid.replace('T', ' ')}.`
  throw new ProblemError(422, 'invalid-request', message, { errors: [{ path, message }], nextValid })
}

/**
 * Reserves a slot on one of its days. Returns the appointments it overlaps and, unless an earlier call reserved the slot,
 * the event. Throws `CommandRejected` with `slot-taken` (see `getSlotTaken`) or `reservation-withdrawn`.
 */
export async function reserveDay(
  bus: CommandBus,
  event: SlotReserved,
  day: string,
  allowOverlap: boolean,
  context: CommandContext,
): Promise<{ overlaps: readonly AppointmentId[]; event: SlotReserved | undefined }> {
  const { providerId, reservationId } = event.data.slot
  const command = { type: 'Reserve', event, allowOverlap } as const
  const options = { idempotencyKey: reservationKey(reservationId), consistency: 'eventual' } as const
  const id = scheduleId(providerId, day)
  const { state, events } = await bus.execute(scheduleDecider, id, command, context, options)
  const reservation = state.reservations.find((each) => each.reservationId === reservationId)
  return { overlaps: reservation?.overlaps ?? [], event: events[0] as SlotReserved | undefined }
}

/**
 * Reserves a slot of one day in one append with what its appointment makes of that, while the streams in `seen` have not changed;
 * releases the slot that the appointment leaves, if it leaves one. Returns null, and has written nothing, when that is not possible
 * (`executeJointly`). Throws `CommandRejected` as `reserveDay` does.
 */
export async function reserveAtOnce<Command, Event extends DomainEvent, State>(
  bus: CommandBus,
  event: ReservationEvent,
  leaving: SlotReference | null,
  toAppointment: (reserved: ReservationEvent) => CommandsFor<Command, Event, State>,
  context: CommandContext,
  { allowOverlap, ...options }: { allowOverlap: boolean } & Omit<JointOptions, 'idempotencyKey'>,
) {
  const { providerId, reservationId, days } = event.data.slot
  const id = scheduleId(providerId, days[0] ?? '')
  const confirmed = { ...event, data: { ...event.data, isConfirmed: true } } as ReservationEvent
  const releases = leaving ? toReleases(leaving) : []
  const reserve: readonly ScheduleCommand[] = [{ type: 'Reserve', event: confirmed, allowOverlap }]
  const sameDay = releases.filter((release) => release.id === id).flatMap(({ commands }) => commands)
  const work = {
    first: { decider: scheduleDecider, id, commands: [...reserve, ...sameDay] },
    toNext: ([reserved]: readonly ScheduleEvent[]) => toAppointment(reserved as ReservationEvent),
    others: releases.filter((release) => release.id !== id),
  }
  return await bus.executeJointly(work, context, { idempotencyKey: reservationKey(reservationId), ...options })
}

/**
 * Releases a slot on all its days in one append with what its appointment does. Returns null, and has written nothing, when that is not
 * possible (`executeJointly`).
 */
export async function releaseAtOnce<Command, Event extends DomainEvent, State>(
  bus: CommandBus,
  slot: SlotReference,
  appointment: CommandsFor<Command, Event, State>,
  context: CommandContext,
) {
  const [first, ...others] = toReleases(slot)
  if (!first) return null
  const work = { first, toNext: () => appointment, others }
  return await bus.executeJointly(work, context, { idempotencyKey: `leave ${slot.reservationId}`, seen: [] })
}

/** Returns the release of a slot for each of its days. */
const toReleases = ({ providerId, reservationId, days }: SlotReference) =>
  days.map((day) => ({
    decider: scheduleDecider,
    id: scheduleId(providerId, day),
    commands: [{ type: 'Release', reservationId } as ScheduleCommand],
  }))

/** Returns the refusal when an error is `slot-taken`; null otherwise. */
export const getSlotTaken = (error: unknown): SlotTakenRejection | null =>
  error instanceof CommandRejected && error.rejection.rejected === 'slot-taken'
    ? (error.rejection as SlotTakenRejection)
    : null

/** Releases a slot on all its days. A repetition has no effect. */
export async function releaseSlot(
  bus: CommandBus,
  { reservationId, providerId, days }: SlotReference,
  context: CommandContext,
): Promise<void> {
  for (const day of days) {
    const options = { idempotencyKey: `release ${reservationId}`, consistency: 'eventual' } as const
    const command = { type: 'Release', reservationId } as const
    await bus.execute(scheduleDecider, scheduleId(providerId, day), command, context, options)
  }
}

/**
 * Ensures that a slot is never reserved, unless its first day has already accepted it. Releases the second day of a
 * withdrawn slot. Returns whether the slot is reserved.
 */
export async function withdrawReservation(
  bus: CommandBus,
  { reservationId, providerId, days }: SlotReference,
  appointmentId: AppointmentId,
  context: CommandContext,
): Promise<boolean> {
  const [firstDay = '', ...otherDays] = days
  const command = { type: 'Withdraw', reservationId, appointmentId } as const
  const id = scheduleId(providerId, firstDay)
  const { state } = await bus.execute(scheduleDecider, id, command, context, { consistency: 'eventual' })
  const isReserved = state.reservations.some((each) => each.reservationId === reservationId)
  if (!isReserved) await releaseSlot(bus, { reservationId, providerId, days: otherDays }, context)
  return isReserved
}

/** Finds the event that reserved a slot on a day of a provider; undefined when there is none. */
export async function findReservationEvent(
  store: EventStore,
  { providerId, reservationId }: Pick<SlotReference, 'providerId' | 'reservationId'>,
  day: string,
): Promise<Recorded<SlotReserved> | undefined> {
  for await (const recorded of store.read(`${scheduleDecider.category}-${scheduleId(providerId, day)}`)) {
    const event = recorded as unknown as Recorded<ScheduleEvent>
    if ('slot' in event.data && event.data.slot.reservationId === reservationId) return event as Recorded<SlotReserved>
  }
  return undefined
}

/** Lists the current reservations on a day of a provider. */
export async function listReservations(
  bus: CommandBus,
  providerId: string,
  day: string,
): Promise<readonly Reservation[]> {
  return (await bus.load(scheduleDecider, scheduleId(providerId, day))).state.reservations
}

/**
 * Reserves many slots on one day in one append, overlapping existing reservations on purpose; `isReleased` releases a slot at once.
 * Returns the remaining reservations of the day.
 */
export async function reserveSampleDay(
  bus: CommandBus,
  providerId: string,
  day: string,
  slots: readonly { event: SlotReserved; isReleased: boolean }[],
  at: string,
  context: CommandContext,
): Promise<readonly Reservation[]> {
  const commands = slots.flatMap(({ event, isReleased }) => {
    const { reservationId } = event.data.slot
    return [
      { command: { type: 'Reserve', event, allowOverlap: true } as const, at },
      ...(isReleased ? [{ command: { type: 'Release', reservationId } as const, at }] : []),
    ]
  })
  const options = { idempotencyKey: 'sample practice', isNew: true, consistency: 'eventual' } as const
  const { state } = await bus.executeAll(scheduleDecider, scheduleId(providerId, day), commands, context, options)
  return state.reservations
}

/** Releases many slots on one day in one append. */
export async function releaseSampleDay(
  bus: CommandBus,
  providerId: string,
  day: string,
  reservationIds: readonly ReservationId[],
  at: string,
  context: CommandContext,
): Promise<void> {
  const commands = reservationIds.map((reservationId) => ({ command: { type: 'Release', reservationId } as const, at }))
  await bus.executeAll(scheduleDecider, scheduleId(providerId, day), commands, context, { consistency: 'eventual' })
}
