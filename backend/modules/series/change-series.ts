import type { NotMoved } from '#contracts/appointment-series.ts'
import type { Appointment, AppointmentChange, SlotConflict } from '#contracts/appointments.ts'
import { isInSupportedYears, unsupportedYearMessage } from '#contracts/values/appointments.ts'
import type { CommandContext } from '#eventstore/command-bus.ts'
import { ProblemError } from '#http/problems.ts'
import type { Member } from '#http/session.ts'
import type { Services } from '#modules/module.ts'
import type { AppointmentBooking } from '#modules/appointments/book-appointment.ts'
import { type SchedulingContext, fieldError } from '#modules/appointments/scheduling-context.ts'
import { addMinutes, toLocalTime, nextValidInstant, addDays } from '#modules/local-time.ts'
import { findBusySlots, findAppointment } from '#modules/appointments/queries.ts'
import { findConflict } from './plan-series.ts'

type Change = Omit<AppointmentChange, 'revision' | 'status' | 'waitlistEntryId'>
/** What of a row is to be changed. Whoever asks may say in `seen` how the appointments were. */
export type SeriesChange = {
  zone: string
  anchor: Appointment
  appointments: Appointment[]
  change: Change
  seen: ExpectedRevision[]
}
type ExpectedRevision = Pick<Appointment, 'revision' | 'appointmentDate'> & { appointmentId: Appointment['id'] }
type Plan = { appointment: Appointment; start: string; end: string; revision: number }

const dayOf = (date: string) => Date.parse(`${date}T00:00:00.000Z`) / 86_400_000

/** The appointment as it was when the change was asked for. */
export const expectedRevisionOf = ({ id, revision, appointmentDate }: Appointment, seen: readonly ExpectedRevision[]) =>
  seen.find(({ appointmentId }) => appointmentId === id) ?? { revision, appointmentDate }

/** Where each appointment goes: as many days on or back as the one the change is asked at, to its time on the clocks; or nowhere. */
function planned({ zone, anchor, appointments, change, seen }: SeriesChange, startsAt: string): Plan[] {
  const to = toLocalTime(startsAt, zone)
  const days = dayOf(to.date) - dayOf(toLocalTime(expectedRevisionOf(anchor, seen).appointmentDate, zone).date)
  return appointments.map((appointment) => {
    const { revision, appointmentDate } = expectedRevisionOf(appointment, seen)
    const local = `${addDays(toLocalTime(appointmentDate, zone).date, days)}T${to.time}`
    const stays = change.appointmentDate === undefined
    const start = stays ? appointmentDate : appointment.id === anchor.id ? startsAt : nextValidInstant(local, zone)
    return { appointment, start, end: addMinutes(start, change.duration ?? appointment.duration), revision }
  })
}

/** Whether an appointment is already as it shall be: an earlier try came as far as this one. */
const isDone = ({ appointment, start }: Plan, { providerId, duration, type, reason, notes }: Change) =>
  appointment.appointmentDate === start &&
  Object.entries({ providerId, duration, type, reason, notes }).every(
    ([field, value]) => value === undefined || appointment[field as 'type'] === value,
  )

/**
 * Changes several appointments of a row. What is in the way is looked for before anything is changed. For whom somebody else is
 * faster afterwards stays where they were and is told of, as are those that were not reached when something fails.
 */
export async function changeSeriesAppointments(
  { db, logger }: Services,
  desk: SchedulingContext,
  booking: AppointmentBooking,
  caller: Member,
  wish: SeriesChange,
  context: CommandContext,
): Promise<{ appointments: Appointment[]; notMoved: NotMoved[] }> {
  const { zone, anchor, appointments, change, seen } = wish
  const { providerId } = change
  // Before anybody's day is looked at: it may be another practice's.
  if (providerId !== undefined)
    await desk.provider(
      caller,
      providerId,
      appointments.find((appointment) => appointment.providerId === providerId)?.providerId,
    )
  const startsAt =
    change.appointmentDate === undefined
      ? expectedRevisionOf(anchor, seen).appointmentDate
      : desk.moment(change.appointmentDate, zone)
  const plans = planned(wish, startsAt)
  if (!plans.every(({ start }) => isInSupportedYears(toLocalTime(start, zone).date)))
    throw fieldError('appointmentDate', unsupportedYearMessage)
  const asAsked = (plan: Plan) => plan.appointment.revision === plan.revision
  const toDo = plans.filter(asAsked)
  if (!change.allowOverlap) {
    const conflicts = await conflictsOf(toDo)
    if (conflicts.length > 0)
      throw new ProblemError(409, 'series-conflicts', 'Some of these times are taken. Nothing was changed.', {
        conflicts,
      })
  }
  const others = plans.filter((plan) => !asAsked(plan))
  const changedAppointments = others.map(({ appointment }) => appointment)
  const notMoved = others.flatMap((plan) => (isDone(plan, change) ? [] : [notMovedReport(plan, 'changed-meanwhile')]))
  // Those that go first make room for those behind them.
  const inOrder = startsAt > expectedRevisionOf(anchor, seen).appointmentDate ? toDo.toReversed() : toDo
  let changed = 0
  for (const [index, plan] of inOrder.entries()) {
    const { appointment, start, revision } = plan
    const body = { ...change, appointmentDate: start, ...(seen.length > 0 ? { revision } : {}) }
    try {
      changedAppointments.push(await booking.change(caller, appointment.id, body, context))
      changed++
    } catch (error) {
      const isAnswer = error instanceof ProblemError && error.status === 409
      if (!isAnswer && changed === 0) throw error
      if (!isAnswer) {
        logger.error({ err: error, seriesId: appointment.seriesId }, 'A row of appointments was changed only in part')
        const rest = inOrder.slice(index)
        notMoved.push(...rest.map((each) => notMovedReport(each, 'failed')))
        changedAppointments.push(...rest.map((each) => each.appointment))
        break
      }
      const because = error.code === 'slot-taken' ? 'taken' : 'changed-meanwhile'
      notMoved.push(notMovedReport(plan, because, (error.extra['takenBy'] as SlotConflict | undefined) ?? null))
      changedAppointments.push((await findAppointment(db, zone, caller.practiceId, appointment.id)) ?? appointment)
    }
  }
  return {
    appointments: changedAppointments.toSorted((a, b) => (a.appointmentDate < b.appointmentDate ? -1 : 1)),
    notMoved: notMoved.toSorted((a, b) => (a.start < b.start ? -1 : 1)),
  }

  async function conflictsOf(all: readonly Plan[]): Promise<NotMoved[]> {
    const moving = new Set<string>(appointments.map(({ id }) => id))
    const found = await Promise.all(
      all.map(async (plan) => {
        const { appointment, start, end } = plan
        const to = change.providerId ?? appointment.providerId
        const isSame =
          to === appointment.providerId && start === appointment.appointmentDate && end <= appointment.endsAt
        if (isSame) return []
        const busy = (await findBusySlots(db, to, start, end)).filter(({ id }) => !moving.has(id))
        const by = findConflict(busy, start, end)
        if (!by) return []
        return [notMovedReport(plan, 'taken', await desk.holder(caller, to, { ...by, appointmentId: by.id }))]
      }),
    )
    return found.flat()
  }
}

const notMovedReport = (
  { appointment, start }: Plan,
  because: NotMoved['because'],
  conflict: SlotConflict | null = null,
): NotMoved => ({
  appointmentId: appointment.id,
  start,
  because,
  conflict,
})
