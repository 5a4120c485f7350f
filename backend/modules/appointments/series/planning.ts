import type { PlannedVisit, Recurrence, Resolution } from '#contracts/appointment-series.ts'
import { mostVisits } from '#contracts/appointment-series.ts'
import type { PatientId, ProviderId } from '#contracts/values/ids.ts'
import { inReach, outOfReach } from '#contracts/values/visits.ts'
import type { Member } from '#http/session.ts'
import type { Services } from '#modules/module.ts'
import { type Desk, wrong } from '../desk.ts'
import { endOf, localOf } from '../local-time.ts'
import { type Busy, findBusy, type ProviderOfPractice } from '../queries.ts'
import { type Occurrence, occurrencesOf } from './occurrences.ts'

/** A row of visits as it was asked for. */
export type SeriesWish = {
  patientId: PatientId
  providerId?: ProviderId | undefined
  appointmentDate: string
  duration: number
  recurrence: Recurrence
  resolutions: Resolution[]
}

/** A row before it is booked. `overlapping` are the visits that may overlap others. */
export type SeriesPlan = {
  zone: string
  provider: ProviderOfPractice
  visits: PlannedVisit[]
  overlapping: ReadonlySet<number>
}

/** Who is in the way of a stretch of time; the first of them. */
export const inTheWay = (busy: readonly Busy[], start: string, end: string): Busy | undefined =>
  busy.find(({ from, until }) => from < end && start < until)

/** Works out the visits of a row and what is in their way. 422 for a row that is too short, too long, too far away, or in its own way. */
export async function planSeries({ db }: Services, desk: Desk, caller: Member, wish: SeriesWish): Promise<SeriesPlan> {
  const { duration, resolutions } = wish
  const zone = await desk.zone(caller.practiceId)
  await desk.requirePatient(caller.practiceId, wish.patientId)
  const provider = await desk.provider(caller, wish.providerId)
  const first = desk.moment(wish.appointmentDate, zone)
  const all = occurrencesOf(first, wish.recurrence, zone)
  if (all.length < 2) throw wrong('recurrence.until', 'This is only one visit')
  if (all.length > mostVisits) throw wrong('recurrence.until', `At most ${mostVisits} visits`)
  const chosen = all.flatMap((visit) =>
    resolved(
      visit,
      resolutions.find(({ index }) => index === visit.index),
      zone,
      desk,
    ),
  )
  if (chosen.length === 0) throw wrong('resolutions', 'Every visit is left out')
  if (!chosen.every(({ start }) => inReach(localOf(start, zone).date))) throw wrong('recurrence', outOfReach)
  const ordered = chosen.toSorted((a, b) => (a.start < b.start ? -1 : 1))
  for (const [index, { start }] of ordered.entries()) {
    const before = ordered[index - 1]
    if (before && endOf(before.start, duration) > start) throw wrong('resolutions', 'Two of these visits would overlap')
  }
  const last = ordered.at(-1)
  const busy = last ? await findBusy(db, provider.id, ordered[0]?.start ?? first, endOf(last.start, duration)) : []
  const taken = ordered.map(({ start }) => ({ from: start, until: endOf(start, duration) }))
  const visits = ordered.map(async ({ index, start, moved }): Promise<PlannedVisit> => {
    const end = endOf(start, duration)
    const { date: localDate, time: localTime } = localOf(start, zone)
    const by = inTheWay(busy, start, end)
    const conflict = by ? await desk.holder(caller, provider.id, { ...by, appointmentId: by.id }) : null
    const freeSlots = by ? await desk.nearest(provider, zone, { startsAt: start, duration }, taken) : []
    return { index, start, end, localDate, localTime, moved, conflict, freeSlots }
  })
  const overlapping = resolutions.flatMap((each) => (each.do === 'overlap' ? [each.index] : []))
  return { zone, provider, visits: await Promise.all(visits), overlapping: new Set(overlapping) }
}

function resolved(visit: Occurrence, answer: Resolution | undefined, zone: string, desk: Desk): Occurrence[] {
  if (answer?.do === 'skip') return []
  if (answer?.do !== 'move') return [visit]
  return [{ ...visit, start: desk.moment(answer.to, zone, 'resolutions'), moved: false }]
}
