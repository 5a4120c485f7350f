import type { CommandBus } from '#eventstore/command-bus.ts'
import type { EventStore } from '#eventstore/event-store.ts'
import { appointments } from '#modules/appointments/module.ts'
import { series } from '#modules/series/module.ts'
import { getJobRequests } from '#process-managers/process-manager.ts'
import { readAllEvents } from '#tests/support/events.ts'
import { uuid } from './fixtures.ts'

const jobNames: readonly string[] = ['confirm-reservation', 'withdraw-reservation', 'release-slot', 'book-series']
const jobs = [appointments, series].flatMap((module) => module.jobs ?? []).filter(({ name }) => jobNames.includes(name))
const processManagers = [appointments, series].flatMap((module) => module.processManagers ?? [])

/** Thrown in place of every write after the simulated crash of the process. */
export class ProcessCrashed extends Error {}

/** Returns a store that simulates a crash: `after(n)` accepts n appends and none after them, until `revive`. */
export function crashingStore(store: EventStore) {
  let left = Infinity
  const { appendTogether } = store

  function count(): void {
    if (left <= 0) throw new ProcessCrashed('the process is gone')
    left--
  }

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
        count()
        return await store.append(stream, expected, events)
      },
      ...(appendTogether && {
        async appendTogether(appends: Parameters<typeof appendTogether>[0]) {
          count()
          return await appendTogether(appends)
        },
      }),
    } satisfies EventStore,
  }
}

/**
 * Runs the jobs that the process managers request after a restart, in the order of the events, until no new event is
 * written. Jobs that work on read models are left out: they are no part of a reservation. No patient is removed.
 */
export async function heal(store: EventStore, { bus }: { bus: CommandBus }): Promise<void> {
  const seen = new Set<string>()
  const clock = () => new Date('2026-11-20T08:00:00.000Z')
  const services = { store, bus, clock, waitUntilCaughtUp: async () => true, db: { any: async () => [] } } as never
  for (let hasNew = true; hasNew;) {
    hasNew = false
    for (const event of await readAllEvents(store)) {
      if (seen.has(event.id)) continue
      seen.add(event.id)
      hasNew = true
      for (const { job: name, data } of processManagers.flatMap((manager) => getJobRequests(manager, event)))
        await jobs
          .find((job) => job.name === name)
          ?.run(services, data, { id: uuid(9, 2), signal: new AbortController().signal, attempt: 1 })
    }
  }
}
