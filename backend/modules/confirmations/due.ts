import { addDays, toInstant, toLocalDateTime } from '#contracts/values/calendar.ts'
import { daysBefore, type ReminderTiming } from '#contracts/values/confirmations.ts'

/** The local times between which messages may leave: a patient's telephone is quiet at night. */
const day = { from: '08:00', until: '20:00' } as const

/** Returns the first instant from `at` on at which a message may leave, in the practice's time zone (IANA). */
export function leaveNight(at: string, zone: string): string {
  const { date, time } = toLocalDateTime(at, zone)
  if (time < day.from) return toInstant(date, day.from, zone)
  return time >= day.until ? toInstant(addDays(date, 1), day.from, zone) : at
}

/**
 * Returns the morning until which a message is kept that is due at night, because no worker was free before; null by day. The
 * time zone is an IANA name.
 */
export function findMorning(now: Date, zone: string): string | null {
  const at = now.toISOString()
  const due = leaveNight(at, zone)
  return due === at ? null : due
}

type DueOptions = {
  /** The start of the appointment, an ISO instant. */
  startsAt: string
  timing: ReminderTiming
  /** The practice's time zone (IANA). */
  zone: string
  now: Date
  hasQuietHours: boolean
}

/**
 * Returns the instant at which a patient is asked: the same local time some days before, so that a clock change in between moves
 * nothing; not before `now`, and not at night. Null when that is not before the appointment.
 */
export function computeDue({ startsAt, timing, zone, now, hasQuietHours }: DueOptions): string | null {
  const { date, time } = toLocalDateTime(startsAt, zone)
  const planned = toInstant(addDays(date, -daysBefore[timing]), time, zone)
  const earliest = planned > now.toISOString() ? planned : now.toISOString()
  const due = hasQuietHours ? leaveNight(earliest, zone) : earliest
  return due < startsAt ? due : null
}
