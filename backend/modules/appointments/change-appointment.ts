import type { Appointment, AppointmentChange } from '#contracts/appointments.ts'
import { ReservationId } from '#contracts/values/ids.ts'
import type { CommandContext } from '#eventstore/command.ts'
import type { SeenStream } from '#eventstore/command-bus.ts'
import { CommandRejected, findConflictingEvents, isConflict } from '#eventstore/command-errors.ts'
import { isOfEarlierAttempt } from '#eventstore/repetition.ts'
import type { Recorded } from '#eventstore/event.ts'
import { fieldError, ProblemError } from '#http/problems.ts'
import type { Member } from '#http/session.ts'
import { loadFees } from '#modules/appointment-types/public.ts'
import type { Services } from '#modules/module.ts'
import { findPatient, toSeenPatient } from '#modules/patients/public.ts'
import { type PracticeProvider, requireProvider, toSeenProvider } from '#modules/providers/public.ts'
import type { ReservationEvent, Slot } from '#modules/schedule/events.ts'
import { createSlot, parseStart } from '#modules/schedule/public.ts'
import { withWaitlistEntry } from '#modules/waitlist/public.ts'
import { toReply } from './appointment-reply.ts'
import { requireConfirmedTimes } from './booking-concerns.ts'
import { createCompletion } from './completion.ts'
import { throwChangeConflict } from './conflict.ts'
import { type AppointmentDetails, appointmentDecider, type KnownAppointment } from './decider.ts'
import type { AppointmentEvent } from './events.ts'
import { changeAndRelease, reserveSlot, wasReserved } from './reservations.ts'
import { type LoadedAppointment, requireAppointment } from './require-records.ts'
import { throwSlotTaken } from './slot-conflicts.ts'

/** One change of one appointment, with the data loaded for it. */
type Request = {
  caller: Member
  body: AppointmentChange
  loaded: LoadedAppointment
  zone: string
  context: CommandContext
}

/**
 * Changes an appointment; with `waitlistEntryId` it also removes the patient's waitlist entry. Without a concurrent change,
 * a change of details reads the stream once.
 */
export async function changeAppointment(
  services: Services,
  caller: Member,
  appointmentId: string,
  body: AppointmentChange,
  context: CommandContext,
): Promise<Appointment> {
  const loaded = await requireAppointment(services.bus, caller.practiceId, appointmentId)
  const { state, revision, history } = loaded
  const expectedRevision = body.revision === undefined ? revision : BigInt(body.revision)
  const conflictingEvents = findConflictingEvents(history, expectedRevision)
  if (conflictingEvents.length > 0 || expectedRevision > revision)
    return await throwChangeConflict(services, state, conflictingEvents)
  if (body.patientId !== undefined && body.patientId !== state.patientId) throw changeOfPatient()
  const zone = caller.timezone
  const request = { caller, body, loaded, zone, context }
  const target = await findTarget(services, request)
  if (target && (state.status === 'cancelled' || body.status === 'cancelled')) throw moveOfCancelled(state)
  const seenPatient = target && (await requireConfirmedMove(services, request, target.slot))
  return await withWaitlistEntry(services, body.waitlistEntryId, state, context, {
    run: () => (target ? move(services, request, target, seenPatient) : changeDetails(services, request)),
    wasRun: () => wasChanged(services, loaded, target?.slot ?? null),
    toBooked: ({ id, appointmentDate }) => ({ appointmentId: id, startsAt: appointmentDate }),
  })
}

/** Returns whether an earlier attempt at the current request has changed the appointment, or reserved the slot for its move. */
async function wasChanged(
  services: Services,
  { state, history }: LoadedAppointment,
  newSlot: Slot | null,
): Promise<boolean> {
  if (history.some(isOfEarlierAttempt)) return true
  // An appointment that was already moved is in its new slot; a job that completed the move is not the earlier attempt.
  const slot = newSlot ?? { ...state.slot, reservationId: newReservationId(services, state) }
  return await wasReserved(services, slot)
}

/** Returns the id of the reservation for a move: the same in every attempt at a request. */
const newReservationId = ({ newId }: Services, { appointmentId }: KnownAppointment) =>
  ReservationId.parse(newId(`slot of ${appointmentId}`))

/** A slot that an appointment moves to, with its provider. */
type Target = { slot: Slot; provider: PracticeProvider }

/** Returns the slot the appointment moves to; null when provider, start and duration stay. */
async function findTarget(
  services: Services,
  { caller, body, loaded, zone, context }: Request,
): Promise<Target | null> {
  const { slot } = loaded.state
  const { providerId = slot.providerId, duration = slot.duration } = body
  const startsAt = body.appointmentDate === undefined ? slot.startsAt : parseStart(body.appointmentDate, zone)
  if (providerId === slot.providerId && duration === slot.duration && startsAt === slot.startsAt) return null
  const provider = await requireProvider(services, caller, providerId, context, slot.providerId)
  return { slot: createSlot(provider, startsAt, duration, newReservationId(services, loaded.state)), provider }
}

/** Throws 409 for a move that the user has to confirm first. Returns the stream of the patient as it was read; null after a removal. */
async function requireConfirmedMove(
  { db, clock }: Services,
  { body, loaded, zone }: Request,
  slot: Slot,
): Promise<SeenStream | null> {
  const { practiceId, patientId, slot: previous } = loaded.state
  const patient = await findPatient(db, practiceId, patientId)
  const circumstances = { zone, now: clock(), isPatientDeceased: Boolean(patient?.deceasedOn) }
  await requireConfirmedTimes(db, practiceId, [{ ...slot, movedFrom: previous }], circumstances, body.confirmed)
  return patient && toSeenPatient(patient)
}

async function move(
  services: Services,
  { caller, body, loaded, zone, context }: Request,
  { slot, provider }: Target,
  seenPatient: SeenStream | null,
) {
  const { state, revision } = loaded
  const { appointmentId, practiceId, patientId } = state
  const { revision: expectedRevision = null, waitlistEntryId = null, allowOverlap } = body
  const completion = await createCompletion(services, practiceId, body.type ?? state.type, body.status)
  const ids = { appointmentId, practiceId, patientId, waitlistEntryId }
  const previous = { previousReservationId: state.slot.reservationId, expectedRevision }
  const data = { ...ids, slot, ...previous, change: pickDetails(body), completion }
  const seen = seenPatient ? [seenPatient, toSeenProvider(provider)] : undefined
  try {
    const event = { type: 'SlotReservedForMove', data } as ReservationEvent
    const moved = await reserveSlot(services, event, context, { allowOverlap, seen, moved: loaded })
    return await toReply(services, zone, moved)
  } catch (error) {
    if (error instanceof CommandRejected && error.rejection.rejected === 'superseded') {
      const current = await services.bus.load(appointmentDecider, appointmentId)
      return await throwChangeConflict(services, current.state, selectAfter(current.history, revision))
    }
    return await throwSlotTaken(services, error, caller, zone, slot)
  }
}

async function changeDetails(services: Services, { body, loaded, zone, context }: Request) {
  const { bus, clock } = services
  const { practiceId } = loaded.state
  const fees = await loadFees(bus, practiceId)
  const command = { type: 'Change', practiceId, change: pickDetails(body), fees, now: clock().toISOString() } as const
  try {
    const expected = body.revision === undefined ? {} : { expectedRevision: BigInt(body.revision) }
    return await toReply(services, zone, await changeAndRelease({ bus }, command, loaded, context, expected))
  } catch (error) {
    if (!isConflict(error, appointmentDecider)) throw error
    return await throwChangeConflict(services, error.state, error.conflictingEvents)
  }
}

const selectAfter = (history: readonly Recorded<AppointmentEvent>[], after: bigint) =>
  history.filter(({ revision }) => revision > after)

const moveOfCancelled = ({ status }: KnownAppointment) =>
  status === 'cancelled'
    ? new ProblemError(409, 'appointment-cancelled', 'This appointment is cancelled. Book a new one instead.')
    : fieldError('status', 'An appointment is either moved or cancelled')

const changeOfPatient = () =>
  fieldError('patientId', 'An appointment stays with its patient. Cancel it, and book one for the other patient.')

function pickDetails({ type, reason, notes, status }: AppointmentChange): AppointmentDetails {
  const entries = Object.entries({ type, reason, notes, status }).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as AppointmentDetails
}
