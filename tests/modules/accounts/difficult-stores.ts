import type fc from 'fast-check'
import type { EventStore } from '#eventstore/event-store.ts'

/** Returns a store behind which a process dies after so many appends. */
export function crashingAfter(store: EventStore, appends: number): EventStore {
  let left = appends
  const assertAlive = () => {
    if (left < 0) throw new Error('crashed')
  }
  return {
    ...store,
    async append(stream, expected, events) {
      left--
      assertAlive()
      return store.append(stream, expected, events)
    },
    async *read(stream, from) {
      assertAlive()
      yield* store.read(stream, from)
    },
  }
}

/** Returns a store of which every step waits until the scheduler runs it, so that any order can be tried. */
export const scheduled = (store: EventStore, scheduler: fc.Scheduler, name: string): EventStore => ({
  ...store,
  async append(stream, expected, events) {
    await scheduler.schedule(Promise.resolve(), `${name} writes ${stream}`)
    return store.append(stream, expected, events)
  },
  async *read(stream, from) {
    await scheduler.schedule(Promise.resolve(), `${name} reads ${stream}`)
    yield* store.read(stream, from)
  },
})
