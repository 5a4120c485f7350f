import type { Member } from '#http/session.ts'
import { findJoinedAt } from '#modules/accounts/public.ts'
import type { Services } from '#modules/module.ts'
import { findTimeZone } from '#modules/practices/public.ts'
import { recordScope } from '#modules/samples/public.ts'
import type { Choices } from './decider.ts'
import { findFreedSlots } from './freed-slots.ts'
import { listVisibleKinds } from './kinds.ts'
import { findChoices, findFirstInstant, findReleasedSlots, type Visibility } from './queries.ts'

/** A person in a practice, for whom notifications are selected: with or without a session. */
export type NotificationReader = Omit<Member, 'sessionId' | 'timezone' | 'practicePhone' | 'lastPlan'>

/** The notifications that a person can see: `candidates` are the numbers of patients that freed slots are offered to, by notification. */
export type ReaderView = { visible: Visibility; candidates: ReadonlyMap<string, number>; choices: Choices }

/** Loads which notifications a person can see: permissions, choices, and which freed slots still matter. */
export async function loadReaderView(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  reader: NotificationReader,
): Promise<ReaderView> {
  const now = clock()
  const { userId, practiceId } = reader
  const [choices, zone, joinedAt] = await Promise.all([
    findChoices(db, userId),
    findTimeZone(db, practiceId),
    findJoinedAt(db, userId),
  ])
  const kinds = listVisibleKinds(reader, choices)
  const since = findFirstInstant(now, joinedAt ?? now.toISOString())
  const showsSlots = kinds.includes('appointment-cancelled')
  const released = showsSlots ? await findReleasedSlots(db, { userId, practiceId, zone, since }, now) : []
  const candidates = await findFreedSlots(db, recordScope(reader), zone, released)
  return { visible: { userId, practiceId, zone, kinds, since, freed: [...candidates.keys()] }, candidates, choices }
}
