import type { CountryCode } from 'libphonenumber-js'
import type { DatabasePool } from 'slonik'
import type { PracticeId } from '#contracts/values/ids.ts'
import { dialingCountry } from './phone.ts'
import { findPractice } from './queries.ts'

/** The practice's own day at a moment (YYYY-MM-DD), and the country it dials from. */
export async function findPracticeLocale(
  db: DatabasePool,
  practiceId: PracticeId,
  moment: Date,
): Promise<{ today: string; country: CountryCode }> {
  const practice = await findPractice(db, practiceId)
  const day = { timeZone: practice?.timezone ?? 'UTC', year: 'numeric', month: '2-digit', day: '2-digit' } as const
  // Canada writes dates as ISO does.
  const today = new Intl.DateTimeFormat('en-CA', day).format(moment)
  return { today, country: dialingCountry(practice?.phone ?? null) }
}
