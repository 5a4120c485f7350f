import type { Appointment, AppointmentChange, TakenBy } from '#contracts/appointments.ts'
import { inReach, outOfReach } from '#contracts/values/visits.ts'
import type { CommandContext } from '#eventstore/command-bus.ts'
import { ProblemError } from '#http/problems.ts'
import type { Member } from '#http/session.ts'
import type { Services } from '#modules/module.ts'
import type { VisitBooking } from '../booking.ts'
import { type Desk, wrong } from '../desk.ts'
import { endOf, localOf, nextInstantOf, plusDays } from '../local-time.ts'
import { findBusy, findVisit } from '../queries.ts'
import { inTheWay } from './planning.ts'

type Change = Omit<AppointmentChange, 'revision' | 'status' | 'waitlistEntryId'>
type Wish = { zone: string; anchor: Appointment; visits: Appointment[]; change: Change }
type Plan = { visit: Appointment; start: string; end: string }
type NotMoved = { appointmentId: Appointment['id']; start: string; conflict: TakenBy | null }

const dayOf = (date: string) => Date.parse(`${date}T00:00:00.000Z`) / 86_400_000

/** Where each visit goes: as many days on or back as the one the change is asked at, to its time on the clocks; or nowhere. */
function planned({ zone, anchor, visits, change }: Wish, startsAt: string): Plan[] {
  const to = localOf(startsAt, zone)
  const days = dayOf(to.date) - dayOf(anchor.localDate)
  return visits.map((visit) => {
    const local = `${plusDays(visit.localDate, days)}T${to.time}`
    const stays = change.appointmentDate === undefined
    const start = stays ? visit.appointmentDate : visit.id === anchor.id ? startsAt : nextInstantOf(local, zone)
    return { visit, start, end: endOf(start, change.duration ?? visit.duration) }
  })
}

/**
 * Changes several visits of a row. What is in the way is looked for before anything is changed; for whom somebody else is
 * faster afterwards stays where they were and is told of.
 */
export async function changeVisits(
  { db }: Services,
  desk: Desk,
  booking: VisitBooking,
  caller: Member,
  wish: Wish,
  context: CommandContext,
): Promise<{ appointments: Appointment[]; notMoved: NotMoved[] }> {
  const { zone, anchor, visits, change } = wish
  const { providerId } = change
  // Before anybody's day is looked at: it may be another practice's.
  if (providerId !== undefined)
    await desk.provider(caller, providerId, visits.find((visit) => visit.providerId === providerId)?.providerId)
  const startsAt =
    change.appointmentDate === undefined ? anchor.appointmentDate : desk.moment(change.appointmentDate, zone)
  const plans = planned(wish, startsAt)
  if (!plans.every(({ start }) => inReach(localOf(start, zone).date))) throw wrong('appointmentDate', outOfReach)
  if (!change.allowOverlap) {
    const conflicts = await conflictsOf(plans)
    if (conflicts.length > 0)
      throw new ProblemError(409, 'series-conflicts', 'Some of these times are taken. Nothing was changed.', {
        conflicts,
      })
  }
  const appointments: Appointment[] = []
  const notMoved: NotMoved[] = []
  // Those that go first make room for those behind them.
  const inOrder = startsAt > anchor.appointmentDate ? plans.toReversed() : plans
  for (const { visit, start } of inOrder) {
    const { appointmentDate: _asked, ...others } = change
    try {
      appointments.push(await booking.change(caller, visit.id, { ...others, appointmentDate: start }, context))
    } catch (error) {
      if (!(error instanceof ProblemError) || error.status !== 409) throw error
      notMoved.push({
        appointmentId: visit.id,
        start,
        conflict: (error.extra['takenBy'] as TakenBy | undefined) ?? null,
      })
      const row = await findVisit(db, zone, caller.practiceId, visit.id)
      if (row) appointments.push(row)
    }
  }
  return { appointments: appointments.toSorted((a, b) => (a.appointmentDate < b.appointmentDate ? -1 : 1)), notMoved }

  async function conflictsOf(all: readonly Plan[]): Promise<NotMoved[]> {
    const moving = new Set<string>(visits.map(({ id }) => id))
    const found = await Promise.all(
      all.map(async ({ visit, start, end }) => {
        const providerId = change.providerId ?? visit.providerId
        const isSame = providerId === visit.providerId && start === visit.appointmentDate && end <= visit.endsAt
        if (isSame) return []
        const busy = (await findBusy(db, providerId, start, end)).filter(({ id }) => !moving.has(id))
        const by = inTheWay(busy, start, end)
        if (!by) return []
        const conflict = await desk.holder(caller, providerId, { ...by, appointmentId: by.id })
        return [{ appointmentId: visit.id, start, conflict }]
      }),
    )
    return found.flat()
  }
}
