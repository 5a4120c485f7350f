import type { EventStore } from '#eventstore/event-store.ts'
import { readAllEvents } from '#tests/support/events.ts'
import type { CommandBus } from '#eventstore/command-bus.ts'
import type { Reservations } from '#modules/appointments/reservations.ts'
import { resumeBookings } from '#modules/appointments/process-manager.ts'
import { getJobRequests } from '#process-managers/process-manager.ts'
import { handleTask, type Task } from '#modules/appointments/jobs.ts'
import { uuid } from './fixtures.ts'

const placed: readonly string[] = ['carry-on', 'give-up', 'release', 'book-series']

/** The process was killed: nothing after it is written, whoever asks. */
export class Killed extends Error {}

/** A store whose process dies: `after(n)` lets n appends through and none after them, until `revive`. */
export function crashingStore(store: EventStore) {
  let left = Infinity
  return {
    after(appends: number) {
      left = appends
    },
    revive() {
      left = Infinity
    },
    store: {
      ...store,
      async append(stream, expected, events) {
        if (left <= 0) throw new Killed('the process is gone')
        left--
        return await store.append(stream, expected, events)
      },
    } satisfies EventStore,
  }
}

/** Everything the process manager would see to after a restart, oldest first; what it leads to is seen to as well. */
export async function heal(
  store: EventStore,
  { bus, places }: { bus: CommandBus; places: Reservations },
): Promise<void> {
  const seen = new Set<string>()
  for (let news = true; news;) {
    news = false
    for (const event of await readAllEvents(store)) {
      if (seen.has(event.id)) continue
      seen.add(event.id)
      news = true
      // Nothing that is looked up in a read model is part of finding a place.
      for (const { data } of getJobRequests(resumeBookings, event))
        if (placed.includes((data as Task).do))
          await handleTask({ store, bus } as never, places, data as Task, uuid(9, 2))
    }
  }
}
