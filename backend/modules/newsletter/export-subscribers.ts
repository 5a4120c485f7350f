import type { NewsletterSubscriberId } from '#contracts/values/ids.ts'
import { getEventType } from '#eventstore/event-schemas.ts'
import type { Position } from '#eventstore/event.ts'
import type { EventStore } from '#eventstore/event-store.ts'
import { applyEvent, type Rows } from '#projections/projection.ts'
import { NewsletterEvent } from './events.ts'
import { newsletterSubscribers, type SubscriberRow } from './projection.ts'

/** An address whose owner confirmed the newsletter. `confirmedAt` is an ISO instant in UTC. */
export type ConfirmedSubscriber = { subscriberId: NewsletterSubscriberId; email: string; confirmedAt: string }

const types = NewsletterEvent.options.map(getEventType)
const pageSize = 2_000

/**
 * Lists the confirmed addresses in the order of their confirmation. Folds the events themselves: a read model that is behind
 * would list addresses that have left.
 */
export async function listConfirmedSubscribers(
  store: Pick<EventStore, 'readAll'>,
  signal: AbortSignal,
): Promise<ConfirmedSubscriber[]> {
  const rows: Rows = new Map()
  for (let after: Position | null = null; ;) {
    signal.throwIfAborted()
    const { events, next, scanned } = await store.readAll(after, { limit: pageSize, types })
    for (const event of events) applyEvent(newsletterSubscribers, rows, event)
    after = next
    if (scanned < pageSize) break
  }
  const confirmed = [...rows.values()].flatMap((row) => {
    const { subscriber_id: subscriberId, email, confirmed_at: confirmedAt } = (row ?? {}) as Partial<SubscriberRow>
    return subscriberId && email && confirmedAt ? [{ subscriberId, email, confirmedAt }] : []
  })
  return confirmed.toSorted((a, b) => (a.confirmedAt < b.confirmedAt ? -1 : 1))
}
