import type { CountryCode } from 'libphonenumber-js'
import type { DatabasePool } from 'slonik'
import { toLocalDate } from '#contracts/values/calendar.ts'
import type { PracticeId } from '#contracts/values/ids.ts'
import { findZoneAndPhone } from '#modules/practices/public.ts'
import { dialingCountry } from './phone.ts'

/** Returns the practice's local date at an instant (YYYY-MM-DD) and the country of its phone numbers. */
export async function findPracticeLocale(
  db: DatabasePool,
  practiceId: PracticeId,
  instant: Date,
): Promise<{ today: string; country: CountryCode }> {
  const practice = await findZoneAndPhone(db, practiceId)
  return {
    today: toLocalDate(instant, practice?.timezone ?? 'UTC'),
    country: dialingCountry(practice?.phone ?? null),
  }
}
