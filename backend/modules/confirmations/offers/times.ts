import { addMinutes } from '#modules/kit/local-time.ts'
import { leaveNight } from '../due.ts'

/** The minutes that a patient has to answer before the next one is asked. */
const answerMinutes = 120

/** The minutes before a slot at which an offer ends at the latest, so that the patient can come. */
const leadMinutes = 60

type OfferTimesOptions = {
  /** The start of the slot, an ISO instant. */
  startsAt: string
  /** The practice's time zone (IANA). */
  zone: string
  now: Date
  hasQuietHours: boolean
}

/**
 * Returns the instants (ISO) at which an offer leaves and ends: at once or after the night, and open for two hours, but not within
 * the last hour before the slot. Null when less than half an hour would remain to answer.
 */
export function computeOfferTimes({ startsAt, zone, now, hasQuietHours }: OfferTimesOptions) {
  const dueAt = hasQuietHours ? leaveNight(now.toISOString(), zone) : now.toISOString()
  const latest = addMinutes(startsAt, -leadMinutes)
  const usual = addMinutes(dueAt, answerMinutes)
  const expiresAt = usual < latest ? usual : latest
  return addMinutes(dueAt, 30) <= expiresAt ? { dueAt, expiresAt } : null
}
