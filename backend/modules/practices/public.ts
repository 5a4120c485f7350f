import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import type { PracticeId, UserId } from '#contracts/values/ids.ts'
import { defaultSessionTimeout } from '#contracts/values/session-timeout.ts'
import { groupQueries } from '#database/group-calls.ts'
import { listOf, prepared } from '#database/prepared.ts'
import type { CommandBus } from '#eventstore/command-bus.ts'
import type { Recorded } from '#eventstore/event.ts'
import type { EventStore } from '#eventstore/event-store.ts'
import { practiceDecider } from './decider.ts'
import type { PracticeEvent } from './events.ts'
import * as queries from './queries.ts'

const TimezoneRow = z.object({ practiceId: z.string(), timezone: z.string() })
const TimezoneAndPhoneRow = z.object({ timezone: z.string(), phone: z.string().nullable() })

/**
 * Returns the newsletter choice of the set-up that was completed last before an event of the practice; null when there was
 * none.
 */
export async function findPreviousNewsletterChoice(
  store: Pick<EventStore, 'read'>,
  practiceId: PracticeId,
  eventId: string,
): Promise<boolean | null> {
  let choice: boolean | null = null
  for await (const recorded of store.read(`${practiceDecider.category}-${practiceId}`)) {
    if (recorded.id === eventId) break
    const { type, data } = recorded as Recorded<PracticeEvent>
    if (type === 'PracticeSetupCompleted') choice = data.newsletterOptIn
  }
  return choice
}

/** Returns the user who set up a practice, and owned it at first, from the event store itself; null when it does not exist. */
export async function loadFounder({ bus }: { bus: CommandBus }, practiceId: PracticeId): Promise<UserId | null> {
  const { state } = await bus.load(practiceDecider, practiceId)
  return state.status === 'none' ? null : state.ownerId
}

/** Returns whether the setup of a practice is complete, from the event store itself. */
export async function isSetupComplete({ bus }: { bus: CommandBus }, practiceId: PracticeId): Promise<boolean> {
  const { state } = await bus.load(practiceDecider, practiceId)
  return state.status !== 'none' && state.completion !== null
}

/** Returns all details of a practice; null when the practice does not exist (yet). */
export const findPractice = queries.findPractice

const PracticeProfile = z.object({ name: z.string(), ownerId: z.string(), timezone: z.string() })

/** Returns a practice's name, owner and time zone (IANA); null when the practice does not exist (yet). */
export const findPracticeProfile = (
  db: CommonQueryMethods,
  practiceId: string,
): Promise<z.infer<typeof PracticeProfile> | null> =>
  db.maybeOne(sql.type(PracticeProfile)`
    select name, owner_id as "ownerId", timezone from read.practices where practice_id = ${practiceId}`)

/** Finds the IANA time zone of a practice; UTC when the practice is unknown, or not yet in the read model. */
export const findTimeZone = groupQueries(async (db, practiceIds: readonly string[]) => {
  const rows = await db.any(
    prepared(sql.type(TimezoneRow)`
      select practice_id as "practiceId", timezone from read.practices
      where practice_id = any(${listOf(practiceIds, 'uuid')})`),
  )
  const zones = new Map(rows.map(({ practiceId, timezone }) => [practiceId, timezone]))
  return practiceIds.map((practiceId) => zones.get(practiceId) ?? 'UTC')
})

/** Returns the time zone (IANA) and the phone number of a practice; null when the practice is not in the read model yet. */
export const findZoneAndPhone = (
  db: CommonQueryMethods,
  practiceId: string,
): Promise<{ timezone: string; phone: string | null } | null> =>
  db.maybeOne(
    prepared(sql.type(TimezoneAndPhoneRow)`
      select timezone, phone from read.practices where practice_id = ${practiceId}`),
  )

/**
 * Returns whether a practice requires two-factor sign-in of its members, from the event store itself; false when it does not
 * exist.
 */
export async function loadRequiresTwoFactor({ bus }: { bus: CommandBus }, practiceId: PracticeId): Promise<boolean> {
  const { state } = await bus.load(practiceDecider, practiceId)
  return state.status === 'set-up' && state.details.requireTwoFactor
}

/**
 * Returns what a practice has set for everyone's security, and the instant (ISO) of its first event, from the event store
 * itself; null as the instant when it does not exist.
 */
export async function loadSecuritySettings({ bus }: { bus: CommandBus }, practiceId: PracticeId) {
  const { state, history } = await bus.load(practiceDecider, practiceId)
  const { requireTwoFactor, sessionTimeout } =
    state.status === 'none' ? { requireTwoFactor: false, sessionTimeout: defaultSessionTimeout } : state.details
  return { since: history[0]?.metadata.at ?? null, requireTwoFactor, sessionTimeout }
}
