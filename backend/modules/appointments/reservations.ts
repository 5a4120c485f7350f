import type { AppointmentId, PatientId, ProviderId, ReservationId } from '#contracts/values/ids.ts'
import type { CommandContext } from '#eventstore/command.ts'
import type { CommandOptions, CommandResult, Consistency, SeenStream } from '#eventstore/command-bus.ts'
import { CommandRejected } from '#eventstore/command-errors.ts'
import { noteEarlierAttempt } from '#eventstore/repetition.ts'
import { isFirstAttempt } from '#eventstore/request-scope.ts'
import type { Services } from '#modules/module.ts'
import { loadSeenPatient } from '#modules/patients/public.ts'
import { isProviderActive, loadSeenProvider } from '#modules/providers/public.ts'
import type { ReservationEvent, Slot } from '#modules/schedule/events.ts'
import {
  findReservationEvent,
  getSlotTaken,
  releaseAtOnce,
  releaseSlot,
  reservationKey,
  reserveAtOnce,
  reserveDay,
} from '#modules/schedule/public.ts'
import { type AppointmentCommand, type AppointmentState, appointmentDecider, type KnownAppointment } from './decider.ts'
import type { AppointmentEvent } from './events.ts'
import { releaseHiddenSample } from './hidden-samples.ts'
import type { LoadedAppointment } from './require-records.ts'

/**
 * Books and moves appointments in three steps, one append each (docs/decisions/0013):
 *
 * 1. Reserve. The provider's day accepts the slot or refuses it with `slot-taken`. This is the only place where a double
 *    booking is refused; the rule is `reserve` in ../schedule/decider.ts.
 * 2. Confirm. The appointment adopts the reservation, unless its provider was deactivated at the same moment.
 * 3. Release. The day releases the slot that the appointment left, or the new slot when the appointment has changed in the
 *    meantime.
 *
 * All of them are one append when the store can write to several streams, and nothing that the caller has read has changed at the
 * same moment (docs/decisions/0046). So are a cancellation and its release.
 *
 * After a crash between two steps, process-manager.ts requests the job for the next step ten seconds after the event:
 * `confirm-reservation`, `release-slot`, or `withdraw-reservation` when only the second day of an appointment past
 * midnight is reserved. Event ids are derived from the reservation id, so a repeated step writes nothing twice.
 */
type Needs = Pick<Services, 'bus' | 'store' | 'clock'>

/** The appointment after its reservation was confirmed. `bookedAt` is the time of the booking (ISO) if nothing else happened to it. */
export type ReservationResult = CommandResult<AppointmentState, AppointmentEvent> & { bookedAt: string | null }

/**
 * With `eventual` consistency the call returns before the read models contain the appointment. `seen`: the patient and the provider, and
 * `moved`: the appointment that is moved, as the caller has read them, for one append.
 */
type Options = {
  allowOverlap: boolean
  consistency?: Consistency
  seen?: readonly SeenStream[] | undefined
  moved?: LoadedAppointment
}

/**
 * Books or moves an appointment: all three steps. Throws `CommandRejected` with `slot-taken`, `already-booked`, `superseded` or
 * `provider-inactive`.
 */
export async function reserveSlot(
  services: Needs,
  event: ReservationEvent,
  context: CommandContext,
  { allowOverlap, consistency = 'read-your-writes', seen, moved }: Options,
): Promise<ReservationResult> {
  const { bus } = services
  const written = seen && (await writeAtOnce(services, event, moved, context, { allowOverlap, consistency, seen }))
  if (written) return written
  const { slot } = event.data
  const [firstDay = '', secondDay] = slot.days
  const overlaps =
    secondDay === undefined ? [] : await reserveSecondDay(services, event, secondDay, context, allowOverlap)
  const withOverlaps = { ...event, data: { ...event.data, slot: { ...slot, overlaps } } } as ReservationEvent
  try {
    const reserved = await reserveFreedDay(bus, withOverlaps, firstDay, allowOverlap, context)
    const decided = reserved.event ?? (await findReservationEvent(services.store, slot, firstDay)) ?? withOverlaps
    const result = await confirmReservation(services, decided as ReservationEvent, context, consistency)
    if (result) return result
    throw new CommandRejected({ rejected: 'superseded', message: 'This appointment was changed in the meantime.' })
  } catch (error) {
    if (secondDay !== undefined && error instanceof CommandRejected) await releaseSlot(bus, slot, context)
    throw error
  }
}

/**
 * Books or moves an appointment of one day in one append; one that is entered as cancelled releases its slot then. Returns null, and has
 * written nothing, when that is not possible.
 */
async function writeAtOnce(
  { bus }: Needs,
  event: ReservationEvent,
  moved: LoadedAppointment | undefined,
  context: CommandContext,
  options: Options & { seen: readonly SeenStream[] },
): Promise<ReservationResult | null> {
  const loaded = event.type === 'SlotReservedForMove' ? moved : null
  if (event.data.slot.days.length > 1 || loaded === undefined) return null
  const toAppointment = (reservation: ReservationEvent) => ({
    decider: appointmentDecider,
    id: event.data.appointmentId,
    commands: [{ type: 'ApplyReservation', reservation, isReleased: loaded !== null } as const],
    loaded,
  })
  const leaving = loaded && loaded.state.slot
  const joint = await inFreedSlot(bus, context, () =>
    reserveAtOnce(bus, event, leaving, toAppointment, context, options),
  )
  if (!joint) return null
  const { next, at } = joint
  await releaseLeftSlots(bus, next.events, context)
  return { ...next, bookedAt: next.revision === 0n ? at : null }
}

/** Commands that may cancel an appointment. */
type Leaving = Extract<AppointmentCommand, { type: 'Change' | 'Cancel' }>

/**
 * Changes or cancels an appointment, and releases its slot when it is cancelled, in one append where that is possible. `loaded` is the
 * appointment as the caller has read it.
 */
export async function changeAndRelease(
  { bus }: Pick<Needs, 'bus'>,
  command: Leaving,
  loaded: LoadedAppointment,
  context: CommandContext,
  options: Pick<CommandOptions, 'expectedRevision'> = {},
): Promise<CommandResult<AppointmentState, AppointmentEvent>> {
  const { appointmentId, slot } = loaded.state
  noteEarlierAttempt(loaded.history)
  const joint = isCancelling(command)
    ? await releaseAtOnce(
        bus,
        slot,
        { decider: appointmentDecider, id: appointmentId, commands: [{ ...command, isReleased: true }], loaded },
        context,
      )
    : null
  if (joint) return joint.next
  const result = await bus.execute(appointmentDecider, appointmentId, command, context, { ...options, loaded })
  await releaseLeftSlots(bus, result.events, context)
  return result
}

const isCancelling = (command: Leaving): boolean => command.type === 'Cancel' || command.change.status === 'cancelled'

/** Loads the patient and the provider of a slot as they are, for one append; undefined when one of them may not be booked. */
export async function loadSeen(
  { bus }: Pick<Needs, 'bus'>,
  patientId: PatientId,
  providerId: ProviderId,
): Promise<readonly SeenStream[] | undefined> {
  const [patient, provider] = await Promise.all([loadSeenPatient(bus, patientId), loadSeenProvider(bus, providerId)])
  return patient && provider ? [patient, provider] : undefined
}

/** Returns whether a slot was reserved at any time: its appointment is booked or moved then, if need be by a job. */
export const wasReserved = async ({ store }: Pick<Needs, 'store'>, slot: Slot): Promise<boolean> =>
  (await findReservationEvent(store, slot, slot.days[0] ?? '')) !== undefined

/** Finds an appointment that has adopted a reservation, now or before its last move; null if it has not. */
export async function findConfirmed(
  { bus }: Pick<Needs, 'bus'>,
  appointmentId: AppointmentId,
  reservationId: ReservationId,
): Promise<KnownAppointment | null> {
  const { state } = await bus.load(appointmentDecider, appointmentId)
  return state.known && state.reservationIds.includes(reservationId) ? state : null
}

/** Reserves the second day of an appointment past midnight. Returns the appointments it overlaps there. */
async function reserveSecondDay(
  { bus }: Needs,
  { data: { appointmentId, practiceId, patientId, slot } }: ReservationEvent,
  day: string,
  context: CommandContext,
  allowOverlap: boolean,
): Promise<AppointmentId[]> {
  const event = { type: 'SecondDayReserved', data: { appointmentId, practiceId, patientId, slot } } as const
  const { overlaps } = await reserveFreedDay(bus, event, day, allowOverlap, context)
  return [...overlaps]
}

/** Reserves a slot on one day. Sample appointments that are not shown anymore make room for it. */
const reserveFreedDay: typeof reserveDay = (bus, event, day, allowOverlap, context) =>
  inFreedSlot(bus, context, () => reserveDay(bus, event, day, allowOverlap, context))

/** Runs a reservation. Sample appointments that are not shown anymore make room for it. */
const inFreedSlot = <Result>(bus: Needs['bus'], context: CommandContext, run: () => Promise<Result>): Promise<Result> =>
  run().catch(async (error: unknown) => {
    const taken = getSlotTaken(error)
    if (taken && (await releaseHiddenSample(bus, taken.conflict, context))) return await inFreedSlot(bus, context, run)
    throw error
  })

/**
 * Releases a slot whose provider does not see patients anymore, and throws `CommandRejected` with `provider-inactive`. The
 * provider's stream is read after the reservation was written, and a deactivation looks for reservations after it was written:
 * of a booking and a deactivation at the same moment, at least one sees the other.
 */
async function requireActiveProvider({ bus }: Needs, event: ReservationEvent, context: CommandContext): Promise<void> {
  const { appointmentId, slot } = event.data
  if (await isProviderActive(bus, slot.providerId)) return
  const { state } = await bus.load(appointmentDecider, appointmentId)
  const hasAdopted = state.known && state.reservationIds.includes(slot.reservationId)
  const staysWithProvider = state.known && state.slot.providerId === slot.providerId
  if (hasAdopted || staysWithProvider) return
  await releaseSlot(bus, slot, context)
  throw new CommandRejected({
    rejected: 'provider-inactive',
    message: 'This provider no longer sees patients. Please choose another one.',
    path: 'providerId',
  })
}

/**
 * Performs steps 2 and 3 for an accepted reservation. A repetition has no effect. Returns null when the appointment has
 * changed since the reservation; its slot is released then. Throws `CommandRejected` with `provider-inactive`.
 */
export async function confirmReservation(
  services: Needs,
  event: ReservationEvent,
  context: CommandContext,
  consistency: Consistency = 'read-your-writes',
): Promise<ReservationResult | null> {
  const { bus, clock } = services
  const { appointmentId, slot } = event.data
  await requireActiveProvider(services, event, context)
  try {
    const command = { type: 'ApplyReservation', reservation: event } as const
    const at = clock().toISOString()
    // A move is of an appointment that exists, and a job confirms what another attempt has begun.
    const isNew = event.type === 'SlotReservedForBooking' && isFirstAttempt()
    const options = { idempotencyKey: reservationKey(slot.reservationId), consistency, isNew }
    const result = await bus.executeAll(appointmentDecider, appointmentId, [{ command, at }], context, options)
    await releaseLeftSlots(bus, result.events, context)
    return { ...result, bookedAt: isNew && result.revision === 0n ? at : null }
  } catch (error) {
    if (!(error instanceof CommandRejected) || error.rejection.rejected !== 'superseded') throw error
    await releaseSlot(bus, slot, context)
    return null
  }
}

/** Performs step 3 for events of an appointment: releases the slots that it left, unless they were released with them. */
async function releaseLeftSlots(
  bus: Needs['bus'],
  events: readonly AppointmentEvent[],
  context: CommandContext,
): Promise<void> {
  for (const event of events) {
    const left = findLeftSlot(event)
    if (left) await releaseSlot(bus, left, context)
  }
}

function findLeftSlot(event: AppointmentEvent): Slot | null {
  if (event.type !== 'AppointmentRescheduled' && event.type !== 'AppointmentCancelled') return null
  if (event.data.isReleased) return null
  return event.type === 'AppointmentCancelled' ? event.data.slot : event.data.from
}
