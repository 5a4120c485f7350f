import type { CountryCode } from 'libphonenumber-js'
import type { DatabasePool } from 'slonik'
import { toLocalDate } from '#contracts/values/calendar.ts'
import type { PracticeId } from '#contracts/values/ids.ts'
import type { Member } from '#http/session.ts'
import { findZoneAndPhone } from '#modules/practices/public.ts'
import { dialingCountry } from './phone.ts'

/** A practice's local date (YYYY-MM-DD), and the country of its phone numbers. */
type PracticeLocale = { today: string; country: CountryCode }

/** Returns the locale of a caller's practice at an instant. */
export const getCallerLocale = (
  { timezone, practicePhone }: Pick<Member, 'timezone' | 'practicePhone'>,
  instant: Date,
): PracticeLocale => ({ today: toLocalDate(instant, timezone), country: dialingCountry(practicePhone) })

/** Returns the locale of a practice at an instant, for jobs and tools. */
export async function findPracticeLocale(
  db: DatabasePool,
  practiceId: PracticeId,
  instant: Date,
): Promise<PracticeLocale> {
  const { timezone = 'UTC', phone = null } = (await findZoneAndPhone(db, practiceId)) ?? {}
  return getCallerLocale({ timezone, practicePhone: phone }, instant)
}
