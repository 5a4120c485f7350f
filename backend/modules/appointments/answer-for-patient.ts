import type { FreeSlot } from '#contracts/appointments.ts'
import { type AppointmentId, type PracticeId, ReservationId } from '#contracts/values/ids.ts'
import type { CommandContext } from '#eventstore/command.ts'
import { deriveId } from '#eventstore/derive-id.ts'
import { loadFees } from '#modules/appointment-types/public.ts'
import type { Services } from '#modules/module.ts'
import { findTimeZone } from '#modules/practices/public.ts'
import type { ReservationEvent } from '#modules/schedule/events.ts'
import { createSlot } from '#modules/schedule/public.ts'
import { cancelAppointment } from './cancel-appointment.ts'
import { appointmentDecider, type KnownAppointment } from './decider.ts'
import { findFreeSlots } from './find-free-slots.ts'
import { findHeldSlots, holdSlots, releaseHeldSlots } from './held-slots.ts'
import { findLoadedAppointment } from './require-records.ts'
import { loadSeen, reserveSlot } from './reservations.ts'

/** An appointment at the time that its patient was asked about. */
type Asked = { practiceId: PracticeId; appointmentId: AppointmentId; reservationId: string }

/** Loads an appointment that is still at the time in question; null when it was moved, or does not exist. */
async function loadAsked({ bus }: Pick<Services, 'bus'>, { practiceId, appointmentId, reservationId }: Asked) {
  const loaded = await findLoadedAppointment(bus, practiceId, appointmentId)
  return loaded?.state.slot.reservationId === reservationId ? loaded : null
}

/** Marks a scheduled appointment as confirmed by its patient. Does nothing once it has another status or time. */
export async function confirmForPatient(services: Services, asked: Asked, context: CommandContext): Promise<void> {
  const { bus, clock } = services
  const { practiceId, appointmentId } = asked
  const loaded = await loadAsked(services, asked)
  if (loaded?.state.status !== 'scheduled') return
  const fees = await loadFees(bus, practiceId)
  const change = { status: 'confirmed' } as const
  const command = { type: 'Change', practiceId, change, fees, now: clock().toISOString() } as const
  await bus.execute(appointmentDecider, appointmentId, command, context, { loaded })
}

/** The statuses from which a patient's refusal cancels an appointment. */
const declinable: readonly string[] = ['scheduled', 'confirmed']

/** Cancels an appointment that its patient declines; the day list still shows it. Does nothing once it has begun or moved. */
export async function declineForPatient(services: Services, asked: Asked, context: CommandContext): Promise<void> {
  const loaded = await loadAsked(services, asked)
  if (!loaded || !declinable.includes(loaded.state.status)) return
  await cancelAppointment(services, asked.practiceId, asked.appointmentId, true, context)
  await releaseHeldSlots(services, asked.appointmentId)
}

/** Length of the search for other times, in days, and the number that is offered. */
const otherTimes = { days: 28, offered: 3 } as const

/** Finds the free times of the same provider for an appointment, from now on. */
async function findOtherTimes(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { appointmentId, practiceId, slot }: KnownAppointment,
): Promise<FreeSlot[]> {
  const { providerId, duration, startsAt } = slot
  const zone = await findTimeZone(db, practiceId)
  const now = clock().toISOString()
  const search = { providerId, zone, duration, from: now, days: otherTimes.days, now, excluding: appointmentId }
  const free = await findFreeSlots(db, { practiceId, includeSamples: false }, search)
  return free.filter(({ start }) => start !== startsAt)
}

/** Attempts to keep times that another patient is offered in the same moment. */
const holdAttempts = 3

/**
 * Finds the next free times of the same provider for an appointment, and keeps them for its patient for ten minutes, in which they
 * are offered to no one else. The desk can book one all the same.
 */
export async function offerOtherTimes(
  services: Pick<Services, 'db' | 'pool' | 'clock'>,
  appointment: KnownAppointment,
): Promise<FreeSlot[]> {
  let held: FreeSlot[] = []
  for (let attempt = 1; attempt <= holdAttempts; attempt++) {
    // oxlint-disable-next-line no-await-in-loop -- one attempt after the other
    const next = (await findOtherTimes(services, appointment)).slice(0, otherTimes.offered)
    // oxlint-disable-next-line no-await-in-loop
    held = await holdSlots(services, appointment, next)
    if (held.length === next.length) return held
  }
  return held
}

/** Returns whether a time is kept for the patient of an appointment, or is one of the next ones, and is still free. */
export async function isOtherTimeFree(
  services: Pick<Services, 'db' | 'clock'>,
  appointment: KnownAppointment,
  startsAt: string,
): Promise<boolean> {
  const { appointmentId, practiceId, slot } = appointment
  const [free, held] = await Promise.all([
    findOtherTimes(services, appointment),
    findHeldSlots(services.db, practiceId, slot.providerId, services.clock().toISOString()),
  ])
  const isKept = held.some((each) => each.appointmentId === appointmentId && each.from === startsAt)
  const index = free.findIndex(({ start }) => start === startsAt)
  return index !== -1 && (isKept || index < otherTimes.offered)
}

/**
 * Moves an appointment to a time that was offered to its patient, and confirms it. A repetition has no effect. Throws
 * `CommandRejected` with `slot-taken`, `superseded` or `provider-inactive`.
 */
export async function moveForPatient(
  services: Services,
  asked: Asked,
  startsAt: string,
  context: CommandContext,
): Promise<void> {
  const { db } = services
  const { practiceId, appointmentId, reservationId } = asked
  const loaded = await loadAsked(services, asked)
  if (!loaded || !declinable.includes(loaded.state.status)) return
  const { patientId, slot } = loaded.state
  const timezone = await findTimeZone(db, practiceId)
  // The same for each attempt, so that a repeated request reserves one slot.
  const newId = ReservationId.parse(deriveId(`moved by patient ${reservationId} ${startsAt}`))
  const data = {
    appointmentId,
    practiceId,
    patientId,
    waitlistEntryId: null,
    slot: createSlot({ id: slot.providerId, timezone }, startsAt, slot.duration, newId),
    previousReservationId: slot.reservationId,
    expectedRevision: null,
    change: { status: 'confirmed' },
    completion: null,
  }
  const seen = await loadSeen(services, patientId, slot.providerId)
  const event = { type: 'SlotReservedForMove', data } as ReservationEvent
  await reserveSlot(services, event, context, { allowOverlap: false, seen, moved: loaded })
  await releaseHeldSlots(services, appointmentId)
}
