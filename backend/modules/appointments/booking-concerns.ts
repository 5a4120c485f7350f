import type { CommonQueryMethods } from 'slonik'
import type { ConfirmationRequired } from '#contracts/appointments.ts'
import { BookingConcern } from '#contracts/values/appointments.ts'
import { toInstant, toLocalDate } from '#contracts/values/calendar.ts'
import { findDayOff, findHoliday, getDayHours, type WorkCalendar } from '#contracts/values/working-hours.ts'
import { ProblemError } from '#http/problems.ts'
import { addMinutes, touchedDays } from '#modules/kit/local-time.ts'
import { findWorkCalendar } from '#modules/working-hours/public.ts'

type Placement = { startsAt: string; duration: number; providerId: string }

/** A time to be booked. `movedFrom` is the time that the appointment has now; starts are ISO instants. */
export type RequestedTime = Placement & { movedFrom?: Placement | undefined }

type Circumstances = {
  /** The practice's time zone (IANA). */
  zone: string
  now: Date
  isPatientDeceased: boolean
  calendar: WorkCalendar
}

/** A concern about one time; `reason` as in ConfirmationRequired. */
export type FoundConcern = { concern: BookingConcern; reason: string | null }

/**
 * Returns why a time should be confirmed before it is booked. A move within one day does not ask about that day again, and an
 * appointment that keeps its time and is not longer does not ask about its hours.
 */
export function findConcerns(time: RequestedTime, circumstances: Circumstances): FoundConcern[] {
  const { startsAt, duration, movedFrom } = time
  const { now, isPatientDeceased } = circumstances
  const isNewStart = startsAt !== movedFrom?.startsAt
  const concerns: FoundConcern[] = []
  if (isNewStart && isPatientDeceased) concerns.push({ concern: 'patient-deceased', reason: null })
  // An appointment in progress is not over: a patient without an appointment is entered when they come.
  if (isNewStart && addMinutes(startsAt, duration) <= now.toISOString())
    concerns.push({ concern: 'in-the-past', reason: null })
  const dayConcern = findDayConcern(time, circumstances)
  if (dayConcern) return dayConcern.isAsked ? [...concerns, dayConcern.found] : concerns
  const isLonger = movedFrom !== undefined && duration > movedFrom.duration
  return isNewStart || isLonger ? [...concerns, ...findHoursConcerns(time, circumstances)] : concerns
}

/** Returns why there is no work on the day of a time, and whether to ask about it; null on a working day. */
function findDayConcern(
  { startsAt, providerId, movedFrom }: RequestedTime,
  { zone, calendar }: Circumstances,
): { found: FoundConcern; isAsked: boolean } | null {
  const date = toLocalDate(startsAt, zone)
  const isNewDate = movedFrom === undefined || toLocalDate(movedFrom.startsAt, zone) !== date
  const holiday = findHoliday(calendar, date)
  if (holiday) return { found: { concern: 'holiday', reason: holiday.name }, isAsked: isNewDate }
  if (!getDayHours(calendar.week, date))
    return { found: { concern: 'not-a-working-day', reason: null }, isAsked: isNewDate }
  const dayOff = findDayOff(calendar, providerId, date)
  if (!dayOff) return null
  const isNewProvider = providerId !== movedFrom?.providerId
  return { found: { concern: 'provider-day-off', reason: dayOff.name }, isAsked: isNewDate || isNewProvider }
}

type Range = { from: string; until: string; reason: string }

/** Returns the concerns about the hours of a working day. Until a practice sets its hours there are none. */
function findHoursConcerns({ startsAt, duration }: RequestedTime, { zone, calendar }: Circumstances): FoundConcern[] {
  if (calendar.week === null) return []
  const endsAt = addMinutes(startsAt, duration)
  const days = touchedDays(startsAt, duration, zone).flatMap((date) => {
    const hours = findHoliday(calendar, date) ? null : getDayHours(calendar.week, date)
    return hours ? [{ date, hours }] : []
  })
  const toRange = (date: string, from: string, until: string): Range => ({
    from: toInstant(date, from, zone),
    until: toInstant(date, until, zone),
    reason: `${from}-${until}`,
  })
  const open = days.map(({ date, hours }) => toRange(date, hours.opens, hours.closes))
  const breaks = days.flatMap(({ date, hours }) => hours.breaks.map(({ from, until }) => toRange(date, from, until)))
  const hit = breaks.find(({ from, until }) => from < endsAt && startsAt < until)
  return [
    ...(isCovered(startsAt, endsAt, open)
      ? []
      : [{ concern: 'outside-working-hours', reason: open[0]?.reason ?? null } as const]),
    ...(hit ? [{ concern: 'in-a-break', reason: hit.reason } as const] : []),
  ]
}

/** Returns whether ranges in order, of which one may continue the previous one at midnight, cover a time. */
function isCovered(startsAt: string, endsAt: string, ranges: readonly Range[]): boolean {
  let covered = startsAt
  for (const { from, until } of ranges) if (from <= covered && until > covered) covered = until
  return covered >= endsAt
}

type Message = { one: string; several: string }

const messages: Record<BookingConcern, Message> = {
  'patient-deceased': { one: 'This patient has died', several: 'This patient has died' },
  'in-the-past': { one: 'This time is in the past', several: 'Some of these times are in the past' },
  'not-a-working-day': {
    one: 'The practice is closed that day',
    several: 'The practice is closed on some of these days',
  },
  holiday: { one: 'The practice is closed that day', several: 'The practice is closed on some of these days' },
  'provider-day-off': {
    one: 'The provider is off that day',
    several: 'The provider is off on some of these days',
  },
  'outside-working-hours': {
    one: 'This time is outside the working hours',
    several: 'Some of these times are outside the working hours',
  },
  'in-a-break': { one: 'This time is in a break', several: 'Some of these times are in a break' },
}

type AskedConcern = ConfirmationRequired['concerns'][number]

/** Returns the sentence for a concern: "The practice is closed that day: Thanksgiving." */
function describeConcern({ concern, reasons = [] }: AskedConcern, isOne: boolean): string {
  const names = [...new Set(reasons.flatMap((reason) => reason ?? []))].join(', ')
  return `${messages[concern][isOne ? 'one' : 'several']}${names ? `: ${names}` : ''}.`
}

/**
 * Throws 409 `confirm-appointment` with the concerns about the requested times that the user has not confirmed. `confirmed` is
 * undefined in a request that does not ask for them.
 */
export function requireConfirmation(
  times: readonly RequestedTime[],
  circumstances: Circumstances,
  confirmed: readonly BookingConcern[] | undefined,
): void {
  if (!confirmed) return
  const found = times.flatMap((time) =>
    findConcerns(time, circumstances).map((each) => ({ ...each, startsAt: time.startsAt })),
  )
  const concerns = BookingConcern.options
    .filter((concern) => !confirmed.includes(concern))
    .map((concern): AskedConcern => {
      const asked = found.filter((each) => each.concern === concern)
      const starts = asked.map(({ startsAt }) => startsAt)
      const hasReasons = asked.some(({ reason }) => reason !== null)
      return { concern, starts, ...(hasReasons ? { reasons: asked.map(({ reason }) => reason) } : {}) }
    })
    .filter(({ starts }) => starts.length > 0)
  if (concerns.length === 0) return
  const members: ConfirmationRequired = { concerns }
  const message = concerns.map((each) => describeConcern(each, times.length === 1)).join(' ')
  throw new ProblemError(409, 'confirm-appointment', `${message} Please confirm.`, members)
}

/** Checks times as `requireConfirmation` does, in the practice's working time, which is only read if the request asks. */
export async function requireConfirmedTimes(
  db: CommonQueryMethods,
  practiceId: string,
  times: readonly RequestedTime[],
  circumstances: Omit<Circumstances, 'calendar'>,
  confirmed: readonly BookingConcern[] | undefined,
): Promise<void> {
  const calendar = confirmed && (await findCalendarOf(db, practiceId, times, circumstances.zone))
  if (calendar) requireConfirmation(times, { ...circumstances, calendar }, confirmed)
}

/** Finds the working time on the days of some times, in the practice's time zone. */
export async function findCalendarOf(
  db: CommonQueryMethods,
  practiceId: string,
  times: readonly Pick<RequestedTime, 'startsAt' | 'duration'>[],
  zone: string,
): Promise<WorkCalendar | undefined> {
  const dates = times.flatMap(({ startsAt, duration }) => touchedDays(startsAt, duration, zone)).toSorted()
  const [from] = dates
  return from === undefined ? undefined : await findWorkCalendar(db, practiceId, { from, until: dates.at(-1) ?? from })
}
