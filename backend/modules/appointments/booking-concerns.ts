import type { ConfirmationRequired } from '#contracts/appointments.ts'
import { BookingConcern } from '#contracts/values/appointments.ts'
import { toLocalDate } from '#contracts/values/calendar.ts'
import { isWorkingDay } from '#contracts/values/working-days.ts'
import { ProblemError } from '#http/problems.ts'
import { addMinutes } from '#modules/local-time.ts'

/** A time to be booked. `movedFrom` is the start that the appointment has now, an ISO instant. */
export type RequestedTime = { startsAt: string; duration: number; movedFrom?: string | undefined }

type Circumstances = {
  /** The practice's time zone (IANA). */
  zone: string
  now: Date
  isPatientDeceased: boolean
}

/** Returns why a time should be confirmed before it is booked. A move within one day does not ask about that day again. */
export function findConcerns(
  { startsAt, duration, movedFrom }: RequestedTime,
  { zone, now, isPatientDeceased }: Circumstances,
): BookingConcern[] {
  if (startsAt === movedFrom) return []
  const date = toLocalDate(startsAt, zone)
  const isNewDate = movedFrom === undefined || toLocalDate(movedFrom, zone) !== date
  const concerns: Record<BookingConcern, boolean> = {
    'patient-deceased': isPatientDeceased,
    // An appointment in progress is not over: a patient without an appointment is entered when they come.
    'in-the-past': addMinutes(startsAt, duration) <= now.toISOString(),
    'not-a-working-day': isNewDate && !isWorkingDay(date),
  }
  return BookingConcern.options.filter((concern) => concerns[concern])
}

const messages: Record<BookingConcern, { one: string; several: string }> = {
  'patient-deceased': { one: 'This patient has died.', several: 'This patient has died.' },
  'in-the-past': { one: 'This time is in the past.', several: 'Some of these times are in the past.' },
  'not-a-working-day': {
    one: 'The practice is closed that day.',
    several: 'The practice is closed on some of these days.',
  },
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
  const found = times.map((time) => ({ startsAt: time.startsAt, concerns: findConcerns(time, circumstances) }))
  const concerns = BookingConcern.options
    .filter((concern) => !confirmed.includes(concern))
    .map((concern) => ({
      concern,
      starts: found.filter((each) => each.concerns.includes(concern)).map(({ startsAt }) => startsAt),
    }))
    .filter(({ starts }) => starts.length > 0)
  if (concerns.length === 0) return
  const members: ConfirmationRequired = { concerns }
  const message = concerns.map(({ concern }) => messages[concern][times.length === 1 ? 'one' : 'several']).join(' ')
  throw new ProblemError(409, 'confirm-appointment', `${message} Please confirm.`, members)
}
