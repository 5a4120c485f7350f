import type { FreeSlot, SlotConflict, SlotTaken } from '#contracts/appointments.ts'
import type { ProviderId } from '#contracts/values/ids.ts'
import { hasPermission } from '#contracts/values/roles.ts'
import { ProblemError } from '#http/problems.ts'
import type { Member } from '#http/session.ts'
import { addDays, toLocalDate } from '#contracts/values/calendar.ts'
import type { WorkCalendar } from '#contracts/values/working-hours.ts'
import { addMinutes } from '#modules/kit/local-time.ts'
import type { Services } from '#modules/module.ts'
import { findPatient } from '#modules/patients/public.ts'
import { findPracticeProviders } from '#modules/providers/public.ts'
import { recordScope } from '#modules/samples/public.ts'
import type { Slot } from '#modules/schedule/events.ts'
import { getSlotTaken } from '#modules/schedule/public.ts'
import { findWorkCalendar } from '#modules/working-hours/public.ts'
import { computeFreeSlots, pickNearest, searchStart, searchWindowDays, type TimeRange } from './free-slots.ts'
import { findHeldSlots } from './held-slots.ts'
import { type BusySlot, findBusySlots } from './queries.ts'

/** Describes which appointment holds a slot. The patient's name is null for callers who may not read patients. */
export async function describeConflict(
  { db }: Pick<Services, 'db'>,
  caller: Member,
  providerId: ProviderId,
  { appointmentId, patientId, from, until }: BusySlot,
): Promise<SlotConflict> {
  const providers = await findPracticeProviders(db, caller.practiceId)
  const providerName = providers.find(({ id }) => id === providerId)?.name ?? null
  const patient = hasPermission(caller, 'patients:read') ? await findPatient(db, caller.practiceId, patientId) : null
  const patientName = patient && `${patient.firstName} ${patient.lastName}`
  return { appointmentId, providerId, providerName, patientName, from, until }
}

type Search = {
  providerId: ProviderId
  /** The practice's time zone (IANA). */
  zone: string
  /** The working time on the days of the search. */
  calendar: WorkCalendar
}

/** Finds the three free slots nearest to a start. `busy` adds to the appointments in the read model. */
export async function findNearestFreeSlots(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  caller: Member,
  { providerId, zone, calendar }: Search,
  { startsAt, duration }: { startsAt: string; duration: number },
  busy: readonly TimeRange[],
): Promise<FreeSlot[]> {
  const from = searchStart(startsAt, clock())
  const until = `${addDays(from.slice(0, 10), searchWindowDays + 2)}T00:00:00.000Z`
  const [booked, held] = await Promise.all([
    findBusySlots(db, recordScope(caller), providerId, from, until),
    findHeldSlots(db, caller.practiceId, providerId, clock().toISOString()),
  ])
  const taken = [...booked, ...held, ...busy]
  const query = { providerId, zone, duration, from, days: searchWindowDays, busy: taken, calendar }
  return pickNearest(startsAt, computeFreeSlots(query))
}

const toRange = ({ from, until }: { from: number; until: number }): TimeRange => ({
  from: new Date(from).toISOString(),
  until: new Date(until).toISOString(),
})

/**
 * Throws the 409 `slot-taken` for a refused slot: which appointment holds it, until when, and the nearest free slots.
 * Rethrows every other error.
 */
export async function throwSlotTaken(
  services: Pick<Services, 'db' | 'clock'>,
  error: unknown,
  caller: Member,
  zone: string,
  slot: Slot,
): Promise<never> {
  const rejection = getSlotTaken(error)
  if (!rejection) throw error
  const { conflict, busy, message, path } = rejection
  const { appointmentId, patientId } = conflict
  const wanted = { from: slot.startsAt, until: addMinutes(slot.startsAt, slot.duration) }
  const holder = { appointmentId, patientId, ...toRange(conflict) }
  const { includeSamples } = recordScope(caller)
  const searchFrom = toLocalDate(searchStart(slot.startsAt, services.clock()), zone)
  const searchDates = { from: searchFrom, until: addDays(searchFrom, searchWindowDays) }
  const calendar = await findWorkCalendar(services.db, caller.practiceId, searchDates)
  const search = { providerId: slot.providerId, zone, calendar }
  // Those sample appointments that keep their time are in the read model.
  const occupied = busy.filter(({ isSample }) => includeSamples || !isSample).map(toRange)
  const members: SlotTaken = {
    conflict: await describeConflict(services, caller, slot.providerId, holder),
    freeSlots: await findNearestFreeSlots(services, caller, search, slot, [...occupied, wanted]),
  }
  const errors = path === undefined ? [] : [{ path, message }]
  throw new ProblemError(409, 'slot-taken', message, { ...members, errors })
}
