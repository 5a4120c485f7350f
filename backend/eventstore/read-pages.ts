import type { Position } from './event.ts'
import type { EventPage, EventStore } from './event-store.ts'

const defaultPageSize = 1_000

/** Yields the pages of the whole history after a position, oldest event first, until its end. No page is empty. */
export async function* readPages(
  store: Pick<EventStore, 'readAll'>,
  from: Position | null = null,
  limit = defaultPageSize,
): AsyncGenerator<EventPage> {
  for (let after = from; ;) {
    const page = await store.readAll(after, { limit })
    if (page.events.length === 0) return
    yield page
    after = page.next
  }
}
