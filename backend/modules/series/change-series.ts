import type { NotMoved } from '#contracts/appointment-series.ts'
import type { Appointment, AppointmentChange, SlotConflict } from '#contracts/appointments.ts'
import { BookingConcern, isInSupportedYears, unsupportedYearMessage } from '#contracts/values/appointments.ts'
import type { CommandContext } from '#eventstore/command.ts'
import { fieldError, ProblemError } from '#http/problems.ts'
import type { Member } from '#http/session.ts'
import {
  changeAppointment,
  describeConflict,
  findAppointment,
  findBusySlots,
  requireConfirmedTimes,
} from '#modules/appointments/public.ts'
import { addDays, toLocalDateTime } from '#contracts/values/calendar.ts'
import { addMinutes, nextValidInstant } from '#modules/kit/local-time.ts'
import type { Services } from '#modules/module.ts'
import { findPatients } from '#modules/patients/public.ts'
import { requireProvider } from '#modules/providers/public.ts'
import { recordScope } from '#modules/samples/public.ts'
import { parseStart } from '#modules/schedule/public.ts'
import { findConflict } from './plan-series.ts'

type Patch = Omit<AppointmentChange, 'revision' | 'status' | 'waitlistEntryId'>

/** An appointment as the user saw it when the change was requested. */
export type ExpectedRevision = Pick<Appointment, 'revision' | 'appointmentDate'> & { appointmentId: Appointment['id'] }

/** A change of several appointments of a series. `anchor` is the one at which it was requested. */
export type SeriesChange = {
  zone: string
  anchor: Appointment
  appointments: Appointment[]
  patch: Patch
  expectedRevisions: ExpectedRevision[]
}

type Plan = { appointment: Appointment; startsAt: string; endsAt: string; revision: number }
type Outcome = { appointments: Appointment[]; notMoved: NotMoved[] }

const toDayNumber = (date: string) => Date.parse(`${date}T00:00:00.000Z`) / 86_400_000

/** Returns an appointment as the user saw it; as it is now when the request does not say. */
export const findExpectedRevision = (
  { id, revision, appointmentDate }: Appointment,
  expectedRevisions: readonly ExpectedRevision[],
): Pick<Appointment, 'revision' | 'appointmentDate'> =>
  expectedRevisions.find(({ appointmentId }) => appointmentId === id) ?? { revision, appointmentDate }

/** Plans the new start of each appointment: moved by as many days as the anchor, to its local time; or unchanged. */
function planChanges({ zone, anchor, appointments, patch, expectedRevisions }: SeriesChange, startsAt: string): Plan[] {
  const to = toLocalDateTime(startsAt, zone)
  const anchorDate = toLocalDateTime(findExpectedRevision(anchor, expectedRevisions).appointmentDate, zone).date
  const days = toDayNumber(to.date) - toDayNumber(anchorDate)
  const newStart = ({ id }: Appointment, oldStart: string) => {
    if (patch.appointmentDate === undefined) return oldStart
    if (id === anchor.id) return startsAt
    return nextValidInstant(`${addDays(toLocalDateTime(oldStart, zone).date, days)}T${to.time}`, zone)
  }
  return appointments.map((appointment) => {
    const { revision, appointmentDate } = findExpectedRevision(appointment, expectedRevisions)
    const start = newStart(appointment, appointmentDate)
    const endsAt = addMinutes(start, patch.duration ?? appointment.duration)
    return { appointment, startsAt: start, endsAt, revision }
  })
}

/** Returns whether an appointment already is as planned, because an earlier attempt changed it. */
const isDone = ({ appointment, startsAt }: Plan, { providerId, duration, type, reason, notes }: Patch) =>
  appointment.appointmentDate === startsAt &&
  Object.entries({ providerId, duration, type, reason, notes }).every(
    ([field, value]) => value === undefined || appointment[field as 'type'] === value,
  )

/**
 * Returns what a change asks of the others: the fields in which it differs from the appointment at which it was requested. A form
 * sends all of them, and what an appointment has of its own stays its own. Unless that appointment has changed since: then an
 * earlier attempt at the request may have made them equal.
 */
function pickDifferences({ zone, anchor, patch, expectedRevisions }: SeriesChange): Patch {
  if (findExpectedRevision(anchor, expectedRevisions).revision !== anchor.revision) return patch
  const isSame = (field: string, value: unknown) =>
    field === 'appointmentDate'
      ? parseStart(String(value), zone) === anchor.appointmentDate
      : (seriesFields as readonly string[]).includes(field) && value === anchor[field as 'type']
  return Object.fromEntries(Object.entries(patch).filter(([field, value]) => !isSame(field, value))) as Patch
}

const seriesFields = ['providerId', 'duration', 'type', 'reason', 'notes'] as const

/**
 * Changes several appointments of a series. Conflicts are searched before the first change: 409 `series-conflicts`, and
 * nothing is changed. An appointment whose slot is taken afterwards stays where it is and is reported, as are those that
 * remain when an error occurs.
 */
export async function changeSeriesAppointments(
  services: Services,
  caller: Member,
  request: SeriesChange,
  context: CommandContext,
): Promise<Outcome> {
  const { zone, anchor, appointments, expectedRevisions } = request
  const patch = pickDifferences(request)
  const { providerId } = patch
  if (providerId !== undefined) {
    // Before the provider's day is read: the provider may belong to another practice.
    const current = appointments.find((appointment) => appointment.providerId === providerId)?.providerId
    await requireProvider(services, caller, providerId, context, current)
  }
  const oldStart = findExpectedRevision(anchor, expectedRevisions).appointmentDate
  const startsAt = patch.appointmentDate === undefined ? oldStart : parseStart(patch.appointmentDate, zone)
  const plans = planChanges({ ...request, patch }, startsAt)
  if (!plans.every((plan) => isInSupportedYears(toLocalDateTime(plan.startsAt, zone).date)))
    throw fieldError('appointmentDate', unsupportedYearMessage)
  const isUnchanged = ({ appointment, revision }: Plan) => appointment.revision === revision
  const pending = plans.filter(isUnchanged)
  await requireConfirmedMoves(services, caller, { ...request, patch }, pending)
  if (!patch.allowOverlap) await refuseConflicts(services, caller, { ...request, patch }, pending)
  const others = plans.filter((plan) => !isUnchanged(plan))
  // The appointments that move first make room for those behind them.
  const ordered = startsAt > oldStart ? pending.toReversed() : pending
  const outcome = await applyChanges(services, caller, { ...request, patch }, ordered, context)
  const changedByOthers = others.filter((plan) => !isDone(plan, patch)).map((plan) => report(plan, 'changed-meanwhile'))
  return {
    appointments: [...others.map(({ appointment }) => appointment), ...outcome.appointments].toSorted((a, b) =>
      a.appointmentDate < b.appointmentDate ? -1 : 1,
    ),
    notMoved: [...changedByOthers, ...outcome.notMoved].toSorted((a, b) => (a.start < b.start ? -1 : 1)),
  }
}

async function requireConfirmedMoves(
  { db, clock }: Services,
  { practiceId }: Member,
  { zone, anchor, patch }: SeriesChange,
  plans: readonly Plan[],
): Promise<void> {
  const [patient] = await findPatients(db, practiceId, [anchor.patientId])
  const times = plans.map(({ appointment, startsAt }) => {
    const { appointmentDate, duration, providerId } = appointment
    return {
      startsAt,
      duration: patch.duration ?? duration,
      providerId: patch.providerId ?? providerId,
      movedFrom: { startsAt: appointmentDate, duration, providerId },
    }
  })
  const circumstances = { zone, now: clock(), isPatientDeceased: Boolean(patient?.deceasedOn) }
  await requireConfirmedTimes(db, practiceId, times, circumstances, patch.confirmed)
}

/** Changes one appointment after the other. Throws the error of the first one; a later error ends the loop. */
async function applyChanges(
  services: Services,
  caller: Member,
  { zone, patch, expectedRevisions }: SeriesChange,
  ordered: readonly Plan[],
  context: CommandContext,
): Promise<Outcome> {
  const appointments: Appointment[] = []
  const notMoved: NotMoved[] = []
  let changed = 0
  for (const [index, plan] of ordered.entries()) {
    const { appointment, startsAt, revision } = plan
    // Everything was confirmed before the first change.
    const confirmed = BookingConcern.options
    const body = {
      ...patch,
      confirmed,
      appointmentDate: startsAt,
      ...(expectedRevisions.length > 0 ? { revision } : {}),
    }
    try {
      appointments.push(await changeAppointment(services, caller, appointment.id, body, context))
      changed++
    } catch (error) {
      const isConflict = error instanceof ProblemError && error.status === 409
      if (!isConflict && changed === 0) throw error
      if (!isConflict) {
        services.logger.error({ err: error, seriesId: appointment.seriesId }, 'series was only partly changed')
        const rest = ordered.slice(index)
        notMoved.push(...rest.map((each) => report(each, 'failed')))
        appointments.push(...rest.map((each) => each.appointment))
        break
      }
      const reason = error.code === 'slot-taken' ? 'taken' : 'changed-meanwhile'
      notMoved.push(report(plan, reason, (error.extra['conflict'] as SlotConflict | undefined) ?? null))
      const current = await findAppointment(services, zone, caller.practiceId, appointment.id)
      appointments.push(current ?? appointment)
    }
  }
  return { appointments, notMoved }
}

/** Throws 409 `series-conflicts` when other appointments hold the new slots. */
async function refuseConflicts(
  services: Services,
  caller: Member,
  { appointments, patch }: SeriesChange,
  plans: readonly Plan[],
): Promise<void> {
  const moving = new Set<string>(appointments.map(({ id }) => id))
  const found = plans.map(async (plan) => {
    const { appointment, startsAt, endsAt } = plan
    const providerId = patch.providerId ?? appointment.providerId
    const isWithinOwnSlot =
      providerId === appointment.providerId && startsAt === appointment.appointmentDate && endsAt <= appointment.endsAt
    if (isWithinOwnSlot) return []
    const busy = await findBusySlots(services.db, recordScope(caller), providerId, startsAt, endsAt)
    const holder = findConflict(
      busy.filter(({ appointmentId }) => !moving.has(appointmentId)),
      startsAt,
      endsAt,
    )
    if (!holder) return []
    const conflict = await describeConflict(services, caller, providerId, holder)
    return [report(plan, 'taken', conflict)]
  })
  const conflicts = (await Promise.all(found)).flat()
  if (conflicts.length > 0)
    throw new ProblemError(409, 'series-conflicts', 'Some of these times are taken. Nothing was changed.', {
      conflicts,
    })
}

const report = (
  { appointment, startsAt }: Plan,
  reason: NotMoved['reason'],
  conflict: SlotConflict | null = null,
): NotMoved => ({
  appointmentId: appointment.id,
  start: startsAt,
  reason,
  conflict,
})
