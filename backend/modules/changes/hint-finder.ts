import { toLocalDate } from '#contracts/values/calendar.ts'
import type { ChangeHint } from '#contracts/changes.ts'
import { ForeignPosition } from '#eventstore/event-store.ts'
import type { Position, Recorded } from '#eventstore/event.ts'
import type { Caller } from '#http/session.ts'
import type { Services } from '#modules/module.ts'
import { findTimeZone } from '#modules/practices/public.ts'
import { createHintKinds, listHintTypes, toChangeHints } from './hints.ts'

/** A client that has missed more events, of any practice, is better off when it fetches everything again. */
const maxMissedEvents = 500

type Needs = Pick<Services, 'store' | 'db' | 'modules' | 'waitUntilCaughtUp'>

/** Creates what finds the hints of events, and waits until queries return what they announce. */
export function createHintFinder({ store, db, modules, waitUntilCaughtUp }: Needs) {
  const findKinds = createHintKinds(modules)

  /** Waits until the read models have reached the last of these events; false when that takes long. */
  async function waitUntilShown(events: readonly Recorded[], last: Recorded): Promise<boolean> {
    return await waitUntilCaughtUp([...new Set(events.map(({ type }) => type))], last.position)
  }

  /** Returns the function that finds the hints of a practice's events for a user. */
  async function summarize(practiceId: string, events: readonly Recorded[]) {
    const timeZone = await findTimeZone(db, practiceId)
    const toDate = (instant: string) => toLocalDate(instant, timeZone)
    return (userId: string): ChangeHint[] => toChangeHints(events, (event) => findKinds(event, userId), toDate)
  }

  return {
    summarize,
    waitUntilShown,

    /** Returns whether an event makes data on some screen stale. */
    isShown: (event: Recorded) => findKinds(event).length > 0,

    /** Finds the hints for a user of what has changed in the practice since a position; null when that is too much or unknown. */
    async findMissed({ userId, practiceId }: Pick<Caller, 'userId'> & { practiceId: string }, since: Position) {
      const page = await store.readAll(since, { limit: maxMissedEvents }).catch((error: unknown) => {
        // The history was replaced by another one, such as that of a backup.
        if (error instanceof ForeignPosition) return null
        throw error
      })
      if (!page || page.events.length === maxMissedEvents) return null
      const events = page.events.filter(
        (event) => event.metadata.practiceId === practiceId && findKinds(event, userId).length > 0,
      )
      const last = events.at(-1)
      if (!last) return []
      return (await waitUntilShown(events, last)) ? (await summarize(practiceId, events))(userId) : null
    },

    /** Returns the end of the history, once queries return everything before it: there will be no hints of that. */
    async findHead(): Promise<Position | null> {
      const head = await store.head()
      if (head !== null) await waitUntilCaughtUp(listHintTypes(modules), head)
      return head
    },
  }
}
