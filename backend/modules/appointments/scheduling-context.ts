import { setTimeout as sleep } from 'node:timers/promises'
import type { FreeSlot, SlotTaken, SlotConflict } from '#contracts/appointments.ts'
import {
  type AppointmentId,
  ReservationId,
  type PracticeId,
  type ProviderId,
  type UserId,
} from '#contracts/values/ids.ts'
import { hasPermission } from '#contracts/values/roles.ts'
import { isInSupportedYears, unsupportedYearMessage } from '#contracts/values/appointments.ts'
import { CommandRejected } from '#eventstore/command-bus.ts'
import { invalidRequest, ProblemError } from '#http/problems.ts'
import type { Member } from '#http/session.ts'
import type { Services } from '#modules/module.ts'
import { feeDecider } from '#modules/fees/decider.ts'
import type { Slot } from './events.ts'
import { searchWindowDays, computeFreeSlots, searchStart, pickNearest, type TimeRange } from './free-slots.ts'
import { touchedDays, addMinutes, toLocalTime, parseTime, addDays } from '#modules/local-time.ts'
import { findBusySlots, findPatient, findProviders, findTimeZone, type PracticeProvider } from './queries.ts'
import type { SlotTakenRejection } from '#modules/schedule/decider.ts'

export const notFound = (what: string) => new ProblemError(404, 'not-found', `There is no such ${what}.`)

/** An appointment that has a slot; ISO instants. */
type Holder = { appointmentId: AppointmentId; patientId: string; from: string; until: string }

/** What whoever books needs to know of the practice before the schedule is asked. */
export type SchedulingContext = ReturnType<typeof createSchedulingContext>

/** Looks up zones, providers, patients, fees and free slots; refuses what belongs to another practice. */
export function createSchedulingContext({ db, bus, clock, newId }: Services) {
  /**
   * An instant from what was typed; 422 with `nextValid` for a time that the practice's clocks skip, and for one whose day
   * there is out of reach, which no list would ever show.
   */
  function moment(typed: string, zone: string, path = 'appointmentDate'): string {
    const read = parseTime(typed, zone)
    if ('instant' in read) {
      if (!isInSupportedYears(toLocalTime(read.instant, zone).date)) throw fieldError(path, unsupportedYearMessage)
      return read.instant
    }
    const message = `The clocks skip this time that day. The next one they show is ${read.nextValid.replace('T', ' ')}.`
    const { nextValid } = read
    throw new ProblemError(422, 'invalid-request', message, { errors: [{ path, message }], nextValid })
  }

  /**
   * The one asked for, else the caller when they see patients themselves, else the first. One who sees nobody any more is
   * only taken where they had the appointment already.
   */
  async function provider(caller: Member, asked: ProviderId | undefined, had?: ProviderId): Promise<PracticeProvider> {
    const all = await someProviders(caller.practiceId)
    const active = all.filter((each) => each.active)
    const chosen =
      asked === undefined
        ? (active.find(({ userId }: { userId: UserId | null }) => userId === caller.userId) ?? active[0])
        : all.find(({ id }) => id === asked)
    if (!chosen && asked !== undefined) throw notFound('provider')
    if (!chosen) throw new ProblemError(409, 'no-provider', 'Add somebody who sees patients first.')
    if (!chosen.active && chosen.id !== had)
      throw new ProblemError(409, 'provider-inactive', `${chosen.name} sees no patients any more.`, {
        errors: [{ path: 'providerId', message: 'Please choose somebody else' }],
      })
    return chosen
  }

  /** The first one of a new practice is there a moment after its set-up. */
  async function someProviders(practiceId: PracticeId): Promise<readonly PracticeProvider[]> {
    for (let tries = 0; ; tries++) {
      const all = await findProviders(db, practiceId)
      if (all.length > 0 || tries === 40) return all
      await sleep(50)
    }
  }

  async function requirePatient(practiceId: PracticeId, patientId: string) {
    const patient = await findPatient(db, practiceId, patientId)
    if (!patient || patient.removed) throw notFound('patient')
    return patient
  }

  /** A place to ask the schedule for, under a new id. */
  const placeFor = (
    { id, timezone }: PracticeProvider,
    startsAt: string,
    duration: number,
    holdId = newId(),
  ): Slot => ({
    holdId: ReservationId.parse(holdId),
    providerId: id,
    startsAt,
    duration,
    days: touchedDays(startsAt, duration, timezone),
    overlaps: [],
  })

  const fees = async (practiceId: PracticeId) => (await bus.load(feeDecider, practiceId)).state

  /** Free slots near a time, three of them; `busy` is what is known beyond the read model. */
  async function nearest(
    { id: providerId }: { id: ProviderId },
    zone: string,
    asked: { startsAt: string; duration: number },
    busy: readonly TimeRange[],
  ): Promise<FreeSlot[]> {
    const from = searchStart(asked.startsAt, clock())
    const until = `${addDays(from.slice(0, 10), searchWindowDays + 2)}T00:00:00.000Z`
    const booked = await findBusySlots(db, providerId, from, until)
    const { duration } = asked
    const wish = { providerId, zone, duration, from, days: searchWindowDays, busy: [...booked, ...busy] }
    return pickNearest(asked.startsAt, computeFreeSlots(wish))
  }

  /** Who has a slot, as far as the caller may know. */
  async function holder(caller: Member, providerId: ProviderId, by: Holder): Promise<SlotConflict> {
    const { appointmentId, patientId, from, until } = by
    const providers = await findProviders(db, caller.practiceId)
    const providerName = providers.find(({ id }) => id === providerId)?.name ?? null
    const patient = hasPermission(caller, 'patients:read') ? await findPatient(db, caller.practiceId, patientId) : null
    return { appointmentId, providerId, providerName, patientName: patient?.name ?? null, from, until }
  }

  /** The refusal of a place as people need it: who is there, until when, and what is free instead. */
  async function explainTaken(error: unknown, caller: Member, zone: string, asked: Slot): Promise<never> {
    if (!(error instanceof CommandRejected) || error.rejection.rejected !== 'slot-taken') throw error
    const { by, busy, message, path } = error.rejection as SlotTakenRejection
    const iso = (time: number) => new Date(time).toISOString()
    const stretches = busy.map(({ from, until }) => ({ from: iso(from), until: iso(until) }))
    const members: SlotTaken = {
      takenBy: await holder(caller, asked.providerId, { ...by, from: iso(by.from), until: iso(by.until) }),
      freeSlots: await nearest({ id: asked.providerId }, zone, asked, [...stretches, stretchOf(asked)]),
    }
    const errors = path === undefined ? [] : [{ path, message }]
    throw new ProblemError(409, 'slot-taken', message, { ...members, errors })
  }

  return {
    zone: (practiceId: PracticeId) => findTimeZone(db, practiceId),
    moment,
    provider,
    requirePatient,
    placeFor,
    fees,
    nearest,
    holder,
    explainTaken,
  }
}

const stretchOf = ({ startsAt, duration }: Slot): TimeRange => ({
  from: startsAt,
  until: addMinutes(startsAt, duration),
})

/** For `ProblemError`s about one field. */
export const fieldError = (path: string, message: string) => invalidRequest([{ path, message }])
