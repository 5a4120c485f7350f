import type { PlannedAppointment, Recurrence, Resolution } from '#contracts/appointment-series.ts'
import { maxSeriesAppointments } from '#contracts/appointment-series.ts'
import type { PatientId, ProviderId } from '#contracts/values/ids.ts'
import { isInSupportedYears, unsupportedYearMessage } from '#contracts/values/appointments.ts'
import type { Member } from '#http/session.ts'
import type { Services } from '#modules/module.ts'
import { type SchedulingContext, fieldError } from '#modules/appointments/scheduling-context.ts'
import { addMinutes, toLocalTime } from '#modules/local-time.ts'
import { type BusySlot, findBusySlots, type PracticeProvider } from '#modules/appointments/queries.ts'
import { type Occurrence, expandRecurrence } from './recurrence.ts'

/** A row of appointments as it was asked for. */
export type SeriesRequest = {
  patientId: PatientId
  providerId?: ProviderId | undefined
  appointmentDate: string
  duration: number
  recurrence: Recurrence
  resolutions: Resolution[]
}

/** A row before it is booked. `overlapping` are the appointments that may overlap others. */
export type SeriesPlan = {
  zone: string
  provider: PracticeProvider
  appointments: PlannedAppointment[]
  overlapping: ReadonlySet<number>
}

/** Who is in the way of a stretch of time; the first of them. */
export const findConflict = (busy: readonly BusySlot[], start: string, end: string): BusySlot | undefined =>
  busy.find(({ from, until }) => from < end && start < until)

/** Works out the appointments of a row and what is in their way. 422 for a row that is too short, too long, too far away, or in its own way. */
export async function planSeries(
  { db }: Services,
  desk: SchedulingContext,
  caller: Member,
  wish: SeriesRequest,
): Promise<SeriesPlan> {
  const { duration, resolutions } = wish
  const zone = await desk.zone(caller.practiceId)
  await desk.requirePatient(caller.practiceId, wish.patientId)
  const provider = await desk.provider(caller, wish.providerId)
  const first = desk.moment(wish.appointmentDate, zone)
  const all = expandRecurrence(first, wish.recurrence, zone)
  if (all.length < 2) throw fieldError('recurrence.until', 'This is only one appointment')
  if (all.length > maxSeriesAppointments)
    throw fieldError('recurrence.until', `At most ${maxSeriesAppointments} appointments`)
  const chosen = all.flatMap((appointment) =>
    resolved(
      appointment,
      resolutions.find(({ index }) => index === appointment.index),
      zone,
      desk,
    ),
  )
  if (chosen.length === 0) throw fieldError('resolutions', 'Every appointment is left out')
  if (!chosen.every(({ start }) => isInSupportedYears(toLocalTime(start, zone).date)))
    throw fieldError('recurrence', unsupportedYearMessage)
  const ordered = chosen.toSorted((a, b) => (a.start < b.start ? -1 : 1))
  for (const [index, { start }] of ordered.entries()) {
    const before = ordered[index - 1]
    if (before && addMinutes(before.start, duration) > start)
      throw fieldError('resolutions', 'Two of these appointments would overlap')
  }
  const last = ordered.at(-1)
  const busy = last
    ? await findBusySlots(db, provider.id, ordered[0]?.start ?? first, addMinutes(last.start, duration))
    : []
  const taken = ordered.map(({ start }) => ({ from: start, until: addMinutes(start, duration) }))
  const appointments = ordered.map(async ({ index, start, moved }): Promise<PlannedAppointment> => {
    const end = addMinutes(start, duration)
    const { date: localDate, time: localTime } = toLocalTime(start, zone)
    const by = findConflict(busy, start, end)
    const conflict = by ? await desk.holder(caller, provider.id, { ...by, appointmentId: by.id }) : null
    const freeSlots = by ? await desk.nearest(provider, zone, { startsAt: start, duration }, taken) : []
    return { index, start, end, localDate, localTime, moved, conflict, freeSlots }
  })
  const overlapping = resolutions.flatMap((each) => (each.do === 'overlap' ? [each.index] : []))
  return { zone, provider, appointments: await Promise.all(appointments), overlapping: new Set(overlapping) }
}

function resolved(
  appointment: Occurrence,
  answer: Resolution | undefined,
  zone: string,
  desk: SchedulingContext,
): Occurrence[] {
  if (answer?.do === 'skip') return []
  if (answer?.do !== 'move') return [appointment]
  return [{ ...appointment, start: desk.moment(answer.to, zone, 'resolutions'), moved: false }]
}
