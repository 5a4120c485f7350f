import { expect, it, vi } from 'vitest'
import { type TailStart, tailEvents } from '#cli/tail-events.ts'
import type { EventQuery } from '#cli/search-events.ts'
import { type EventStore, ForeignPosition, StoreUnavailable } from '#eventstore/event-store.ts'
import { newEvent, readAllEvents } from '#tests/support/events.ts'
import { createMemoryStore } from '#tests/support/memory-store.ts'

async function filled(count: number, store: EventStore = createMemoryStore()): Promise<EventStore> {
  for (let n = 0; n < count; n++) await write(store, n)
  return store
}
const write = (store: EventStore, n: number) =>
  store.append(`reports-${n}`, 'no-stream', [newEvent(n % 3 === 0 ? 'Third' : 'Told', { n })])

/** Tails until `count` events have arrived, then stops. Returns their numbers. */
async function tailNumbers(
  store: EventStore,
  begin: TailStart,
  count: number,
  query: EventQuery = {},
  reports: string[] = [],
) {
  const stop = new AbortController()
  const received: unknown[] = []
  const options = {
    signal: stop.signal,
    onUnavailable: () => reports.push('away'),
    onAvailable: () => reports.push('back'),
  }
  for await (const { data } of tailEvents(store, query, begin, options))
    if (received.push(data.n) >= count) stop.abort()
  return received
}

it.each([
  [0, [7, 8]],
  [1, [6, 7]],
  [3, [4, 5]],
  [7, [0, 1]],
  [99, [0, 1]],
])('begins with the last %i and goes on with what comes', async (last, expected) => {
  const store = await filled(7)
  const following = tailNumbers(store, { last }, last === 0 ? 2 : Math.min(last, 7) + 1)
  await new Promise((resolve) => setImmediate(resolve))
  for (const n of [7, 8]) await write(store, n)
  expect((await following).slice(0, 2)).toEqual(expected)
})

it('shows the last matching events over many pages', async () => {
  const store = await filled(1_300)
  expect(await tailNumbers(store, { last: 2 }, 2, { type: 'Third' })).toEqual([1_296, 1_299])
})

it('starts after a position, and refuses one of another store', async () => {
  const store = await filled(5)
  const second = (await readAllEvents(store))[1]?.position ?? ''
  expect(await tailNumbers(store, { after: second }, 3)).toEqual([2, 3, 4])
  await expect(tailNumbers(store, { after: 'pg-1' }, 1)).rejects.toThrow(ForeignPosition)
})

it('misses and repeats nothing during writes and outages', async () => {
  const store = createMemoryStore()
  let calls = 0
  const restless: EventStore = {
    ...store,
    async readAll(after, { limit }) {
      if (++calls % 3 === 0) throw new StoreUnavailable('away')
      return await store.readAll(after, { limit: Math.min(limit, 7) })
    },
  }
  const reports: string[] = []
  const following = tailNumbers(restless, { last: 0 }, 60, {}, reports)
  await new Promise((resolve) => setImmediate(resolve))
  for (let n = 0; n < 60; n++) {
    await write(store, n)
    if (n % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 20))
  }
  expect(await following).toEqual(Array.from({ length: 60 }, (_, n) => n))
  expect(reports.slice(0, 4)).toEqual(['away', 'back', 'away', 'back'])
})

it('stops at once, also during an outage', async () => {
  const away: EventStore = { ...createMemoryStore(), head: () => Promise.reject(new StoreUnavailable('away')) }
  const stop = new AbortController()
  // It pauses after reporting the outage; the stop arrives during that pause.
  const onUnavailable = vi.fn<() => void>(() => void setImmediate(() => stop.abort()))
  const received: unknown[] = []
  for await (const event of tailEvents(away, {}, { last: 0 }, { signal: stop.signal, onUnavailable }))
    received.push(event)
  expect(received).toEqual([])
  expect(onUnavailable).toHaveBeenCalledOnce()
})
