import {
  maxSeriesAppointments,
  type PlannedAppointment,
  type Recurrence,
  type Resolution,
} from '#contracts/appointment-series.ts'
import { isInSupportedYears, unsupportedYearMessage } from '#contracts/values/appointments.ts'
import type { PatientId, ProviderId } from '#contracts/values/ids.ts'
import type { CommandContext } from '#eventstore/command.ts'
import { fieldError } from '#http/problems.ts'
import type { Member } from '#http/session.ts'
import {
  type BusySlot,
  describeConflict,
  findBusySlots,
  findNearestFreeSlots,
  searchWindowDays,
} from '#modules/appointments/public.ts'
import { addDays, toLocalDate, toLocalDateTime } from '#contracts/values/calendar.ts'
import type { WorkCalendar } from '#contracts/values/working-hours.ts'
import { addMinutes } from '#modules/kit/local-time.ts'
import type { Services } from '#modules/module.ts'
import { requirePatient } from '#modules/patients/public.ts'
import { type PracticeProvider, requireProvider } from '#modules/providers/public.ts'
import { recordScope } from '#modules/samples/public.ts'
import { parseStart } from '#modules/schedule/public.ts'
import { findWorkCalendar } from '#modules/working-hours/public.ts'
import { expandRecurrence, type Occurrence } from './recurrence.ts'

/** A series as requested. */
export type SeriesRequest = {
  patientId: PatientId
  providerId?: ProviderId | undefined
  appointmentDate: string
  duration: number
  recurrence: Recurrence
  resolutions: Resolution[]
}

/** A series before it is booked. `overlapping` are the indexes of the appointments that may overlap others. */
export type SeriesPlan = {
  provider: PracticeProvider
  appointments: PlannedAppointment[]
  /** The practice's time zone (IANA). */
  zone: string
  /** The working time of the practice on the days of the series. */
  calendar: WorkCalendar
  isPatientDeceased: boolean
  overlapping: ReadonlySet<number>
}

/** Returns the first appointment that overlaps a time. */
export const findConflict = (busy: readonly BusySlot[], startsAt: string, endsAt: string): BusySlot | undefined =>
  busy.find(({ from, until }) => from < endsAt && startsAt < until)

/**
 * Computes the appointments of a series and the conflicts of each. Throws 422 for a series that is too short, too long,
 * outside the supported years, or overlaps itself.
 */
export async function planSeries(
  services: Services,
  caller: Member,
  request: SeriesRequest,
  context: CommandContext,
): Promise<SeriesPlan> {
  const { db } = services
  const { duration, resolutions } = request
  const zone = caller.timezone
  const { deceasedOn } = await requirePatient(db, caller.practiceId, request.patientId)
  const provider = await requireProvider(services, caller, request.providerId, context)
  const first = parseStart(request.appointmentDate, zone)
  const occurrences = chooseOccurrences(expandRecurrence(first, request.recurrence, zone), resolutions, zone)
  refuseOwnOverlaps(occurrences, duration)
  const from = occurrences[0]?.startsAt ?? first
  const until = addMinutes(occurrences.at(-1)?.startsAt ?? first, duration)
  // Other free slots are offered from the day before the first appointment to some days after the last.
  const dates = {
    from: addDays(toLocalDate(from, zone), -1),
    until: addDays(toLocalDate(until, zone), searchWindowDays + 1),
  }
  const [busy, calendar] = await Promise.all([
    findBusySlots(db, recordScope(caller), provider.id, from, until),
    findWorkCalendar(db, caller.practiceId, dates),
  ])
  const search = { providerId: provider.id, zone, calendar }
  const planned = occurrences.map(({ startsAt }) => ({ from: startsAt, until: addMinutes(startsAt, duration) }))
  const appointments = occurrences.map(async ({ index, startsAt, isAdjusted }): Promise<PlannedAppointment> => {
    const endsAt = addMinutes(startsAt, duration)
    const { date: localDate, time: localTime } = toLocalDateTime(startsAt, zone)
    const times = { index, start: startsAt, end: endsAt, localDate, localTime, isAdjusted }
    const holder = findConflict(busy, startsAt, endsAt)
    if (!holder) return { ...times, conflict: null, freeSlots: [] }
    const conflict = await describeConflict(services, caller, provider.id, holder)
    const freeSlots = await findNearestFreeSlots(services, caller, search, { startsAt, duration }, planned)
    return { ...times, conflict, freeSlots }
  })
  const overlapping = resolutions.flatMap(({ action, index }) => (action === 'overlap' ? [index] : []))
  return {
    provider,
    appointments: await Promise.all(appointments),
    zone,
    calendar,
    isPatientDeceased: deceasedOn !== null,
    overlapping: new Set(overlapping),
  }
}

/** Applies the resolutions. Returns the appointments in order of time. */
function chooseOccurrences(all: readonly Occurrence[], resolutions: readonly Resolution[], zone: string) {
  if (all.length < 2) throw fieldError('recurrence.until', 'This is only one appointment')
  if (all.length > maxSeriesAppointments)
    throw fieldError('recurrence.until', `At most ${maxSeriesAppointments} appointments`)
  const chosen = all.flatMap((occurrence): Occurrence[] => {
    const resolution = resolutions.find(({ index }) => index === occurrence.index)
    if (resolution?.action === 'skip') return []
    if (resolution?.action !== 'move') return [occurrence]
    return [{ ...occurrence, startsAt: parseStart(resolution.to, zone, 'resolutions'), isAdjusted: false }]
  })
  if (chosen.length === 0) throw fieldError('resolutions', 'Every appointment is left out')
  if (!chosen.every(({ startsAt }) => isInSupportedYears(toLocalDateTime(startsAt, zone).date)))
    throw fieldError('recurrence', unsupportedYearMessage)
  return chosen.toSorted((a, b) => (a.startsAt < b.startsAt ? -1 : 1))
}

function refuseOwnOverlaps(ordered: readonly Occurrence[], duration: number): void {
  for (const [index, { startsAt }] of ordered.entries()) {
    const previous = ordered[index - 1]
    if (previous && addMinutes(previous.startsAt, duration) > startsAt)
      throw fieldError('resolutions', 'Two of these appointments would overlap')
  }
}
