import type { Appointment, AppointmentChange, NewAppointment } from '#contracts/appointments.ts'
import { AppointmentId, type PracticeId, type SeriesId, type WaitlistEntryId } from '#contracts/values/ids.ts'
import { ConcurrencyError, type CommandContext, CommandRejected } from '#eventstore/command-bus.ts'
import type { Recorded } from '#eventstore/event.ts'
import { ProblemError } from '#http/problems.ts'
import type { Member } from '#http/session.ts'
import { withAdvisoryLocks } from '#database/advisory-locks.ts'
import type { Services } from '#modules/module.ts'
import { appointmentDecider, type AppointmentState, type AppointmentDetails } from './decider.ts'
import { type SchedulingContext, notFound, fieldError } from './scheduling-context.ts'
import type { AppointmentEvent, Slot } from './events.ts'
import { addMinutes, toLocalTime } from '#modules/local-time.ts'
import { findConflicts } from './conflict.ts'
import type { Reservations, ReservationEvent } from './reservations.ts'
import { findPatient, findAppointment } from './queries.ts'
import { waitlistDecider } from '#modules/waitlist/decider.ts'

type Known = Extract<AppointmentState, { known: true }>
type Result = { state: AppointmentState; revision: bigint | 'no-stream' }

/** Everything but what has a default in the contract. */
export type Booking = Omit<NewAppointment, 'allowOverlap'> & { allowOverlap?: boolean }

/** Booking, changing and cancelling one appointment in somebody's name. */
export type AppointmentBooking = ReturnType<typeof appointmentBooking>

export function appointmentBooking(
  { bus, db, pool, store, clock, newId }: Services,
  desk: SchedulingContext,
  places: Reservations,
) {
  const inTurn = withAdvisoryLocks(pool, 2)

  /**
   * Runs a booking for a patient who waits, who waits no more after it; 404 unless this patient waits under that entry. Two who
   * book for the same entry, in whatever slots: the second is told that nobody waits any more. A process manager ends the
   * wait of a booking that did not come that far.
   */
  async function forWaiting<Result>(
    waitlistEntryId: WaitlistEntryId | undefined,
    { practiceId, patientId }: Pick<Known, 'practiceId' | 'patientId'>,
    context: CommandContext,
    run: () => Promise<Result>,
  ): Promise<Result> {
    if (waitlistEntryId === undefined) return await run()
    return await inTurn([`waitlist ${waitlistEntryId}`], async () => {
      const { state } = await bus.load(waitlistDecider, waitlistEntryId)
      const waits = state.status === 'waiting' && state.practiceId === practiceId && state.patientId === patientId
      if (!waits) throw notFound('entry on the waitlist')
      const booked = await run()
      const command = { type: 'TakeOff', practiceId, reason: 'booked' } as const
      await bus.execute(waitlistDecider, waitlistEntryId, command, context)
      return booked
    })
  }

  /** The row on screen; what was decided, should the row not have followed in time. */
  async function answerOf(zone: string, { state, revision }: Result): Promise<Appointment> {
    if (!state.known) throw notFound('appointment')
    const row = await findAppointment(db, zone, state.practiceId, state.appointmentId)
    if (row && BigInt(row.revision) >= BigInt(revision)) return row
    const patient = await findPatient(db, state.practiceId, state.patientId)
    return asDecided(state, Number(revision), zone, clock().toISOString(), row, patient)
  }

  /** An appointment of the caller's practice; 404 for every other. */
  async function theirs(practiceId: string, appointmentId: string): Promise<{ state: Known; revision: bigint }> {
    const { state, revision } = await bus.load(appointmentDecider, appointmentId)
    if (!state.known || state.practiceId !== practiceId || revision === 'no-stream') throw notFound('appointment')
    return { state, revision }
  }

  async function completionOf(practiceId: PracticeId, type: Known['type'], status: string | undefined) {
    if (status !== 'completed') return null
    return { fee: (await desk.fees(practiceId))[type], completedAt: clock().toISOString() }
  }

  async function book(caller: Member, body: Booking, context: CommandContext): Promise<Appointment> {
    const { practiceId } = caller
    const zone = await desk.zone(practiceId)
    const startsAt = desk.moment(body.appointmentDate, zone)
    await desk.requirePatient(practiceId, body.patientId)
    const provider = await desk.provider(caller, body.providerId)
    const place = desk.placeFor(provider, startsAt, body.duration)
    const appointmentId = AppointmentId.parse(newId())
    const who = { practiceId, patientId: body.patientId }
    const placed = await forWaiting(body.waitlistEntryId, who, context, async () => {
      const fact = await bookingFact(caller, appointmentId, place, body, null)
      return await places
        .place(fact, context, { allowOverlap: body.allowOverlap ?? false })
        .catch((error: unknown) => desk.explainTaken(error, caller, zone, place))
    })
    return await answerOf(zone, placed)
  }

  /** What the schedule is asked to hold for a new appointment. */
  async function bookingFact(
    { practiceId }: Member,
    appointmentId: AppointmentId,
    place: Slot,
    body: Pick<Booking, 'patientId' | 'type' | 'reason' | 'notes' | 'status' | 'waitlistEntryId'>,
    seriesId: SeriesId | null,
  ): Promise<ReservationEvent> {
    const { patientId, type, reason, notes, status, waitlistEntryId = null } = body
    const completion = await completionOf(practiceId, type, status)
    const what = { appointmentId, practiceId, patientId, place, type, reason, notes, status, completion }
    return { type: 'SlotHeldForBooking', data: { ...what, seriesId, waitlistEntryId } }
  }

  async function change(caller: Member, appointmentId: string, body: AppointmentChange, context: CommandContext) {
    const { practiceId } = caller
    const { state, revision } = await theirs(practiceId, appointmentId)
    if (body.revision !== undefined && BigInt(body.revision) !== revision)
      return await changedMeanwhile(appointmentId, body.revision)
    const zone = await desk.zone(practiceId)
    const to = await newPlace(caller, body, state, zone)
    if (to && (state.status === 'cancelled' || body.status === 'cancelled')) throw notBoth(state)
    return await forWaiting(body.waitlistEntryId, state, context, () =>
      to ? move(caller, body, state, to, zone, context) : describe(caller, body, state, zone, context),
    )
  }

  /** Where an appointment goes; null when it stays where it is. */
  async function newPlace(caller: Member, body: AppointmentChange, { place }: Known, zone: string) {
    const { providerId = place.providerId, duration = place.duration } = body
    const startsAt = body.appointmentDate === undefined ? place.startsAt : desk.moment(body.appointmentDate, zone)
    if (providerId === place.providerId && duration === place.duration && startsAt === place.startsAt) return null
    return desk.placeFor(await desk.provider(caller, providerId, place.providerId), startsAt, duration)
  }

  async function move(
    caller: Member,
    body: AppointmentChange,
    state: Known,
    place: Slot,
    zone: string,
    context: CommandContext,
  ): Promise<Appointment> {
    const { appointmentId, practiceId, patientId } = state
    const completion = await completionOf(practiceId, body.type ?? state.type, body.status)
    const leaves = state.place.holdId
    const { revision: madeOn = null, waitlistEntryId = null, allowOverlap } = body
    const what = { appointmentId, practiceId, patientId, place, leaves, madeOn, change: pickDetails(body), completion }
    try {
      const fact = { type: 'SlotHeldForMove', data: { ...what, waitlistEntryId } } as const
      return await answerOf(zone, await places.place(fact as ReservationEvent, context, { allowOverlap }))
    } catch (error) {
      if (error instanceof CommandRejected && error.rejection.rejected === 'not-followed')
        return await changedMeanwhile(appointmentId, state.changes)
      return await desk.explainTaken(error, caller, zone, place)
    }
  }

  async function describe(
    { practiceId }: Member,
    body: AppointmentChange,
    { appointmentId, changes }: Known,
    zone: string,
    context: CommandContext,
  ): Promise<Appointment> {
    const fees = await desk.fees(practiceId)
    const now = clock().toISOString()
    const command = { type: 'Change', practiceId, change: pickDetails(body), fees, now } as const
    try {
      const options = body.revision === undefined ? {} : { expectedRevision: BigInt(body.revision) }
      const executed = await bus.execute(appointmentDecider, appointmentId, command, context, options)
      await free(executed.events, context)
      return await answerOf(zone, executed)
    } catch (error) {
      if (!(error instanceof ConcurrencyError)) throw error
      return await changedMeanwhile(appointmentId, body.revision ?? changes)
    }
  }

  async function cancel(practiceId: PracticeId, appointmentId: string, listed: boolean, context: CommandContext) {
    await theirs(practiceId, appointmentId)
    const command = { type: 'Cancel', practiceId, listed, cause: 'asked' } as const
    const { events } = await bus.execute(appointmentDecider, appointmentId, command, context)
    await free(events, context)
  }

  async function free(events: readonly AppointmentEvent[], context: CommandContext) {
    for (const event of events)
      if (event.type === 'AppointmentCancelled') await places.release(event.data.place, context)
  }

  async function changedMeanwhile(appointmentId: string, expectedRevision: number): Promise<never> {
    const since: Recorded<AppointmentEvent>[] = []
    for await (const event of store.read(
      `${appointmentDecider.category}-${appointmentId}`,
      BigInt(expectedRevision) + 1n,
    ))
      since.push(event as unknown as Recorded<AppointmentEvent>)
    const { state } = await bus.load(appointmentDecider, appointmentId)
    if (!state.known) throw notFound('appointment')
    const message = 'Somebody changed this appointment meanwhile. Look at the changes and save again.'
    throw new ProblemError(409, 'changed-meanwhile', message, { changes: await findConflicts(db, since, state) })
  }

  return { book, bookingFact, change, cancel, theirs, answerOf }
}

const notBoth = ({ status }: Known) =>
  status === 'cancelled'
    ? new ProblemError(409, 'appointment-cancelled', 'This appointment is cancelled. Book a new one instead.')
    : fieldError('status', 'An appointment is either moved or cancelled')

function pickDetails({ type, reason, notes, status }: AppointmentChange): AppointmentDetails {
  const entries = Object.entries({ type, reason, notes, status }).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as AppointmentDetails
}

/** An appointment as it was just decided, for the rare case that its row is not there within two seconds. */
function asDecided(
  state: Known,
  revision: number,
  zone: string,
  now: string,
  row: Appointment | null,
  patient: Appointment['patient'] | null,
): Appointment {
  const { place, completion } = state
  const { date, time } = toLocalTime(place.startsAt, zone)
  return {
    id: state.appointmentId,
    practiceId: state.practiceId,
    providerId: place.providerId,
    patientId: state.patientId,
    patient: row?.patient ?? patient ?? { firstName: '', lastName: '' },
    appointmentDate: place.startsAt,
    endsAt: addMinutes(place.startsAt, place.duration),
    localDate: date,
    localTime: time,
    duration: place.duration,
    type: state.type,
    status: state.status,
    statusSince: row?.status === state.status ? row.statusSince : now,
    reason: state.reason,
    notes: state.notes,
    overlap: place.overlaps.length > 0,
    seriesId: state.seriesId,
    fee: completion?.fee ?? null,
    sample: row?.sample ?? false,
    revision,
    createdAt: row?.createdAt ?? now,
    updatedAt: now,
  }
}
