import { expect, it } from 'vitest'
import type { EventStore } from '#eventstore/event-store.ts'
import { createLagCounter } from '#projections/runner/lag.ts'
import { newEvent } from '#tests/support/events.ts'
import { createMemoryStore } from '#tests/support/memory-store.ts'

async function createFilledStore(
  events: number,
): Promise<{ store: EventStore; read: () => number; add(): Promise<unknown> }> {
  const store = createMemoryStore()
  const add = () => store.append(`one-${crypto.randomUUID()}`, 'no-stream', [newEvent()])
  for (let n = 0; n < events; n++) await add()
  let read = 0
  const readAll: EventStore['readAll'] = async (...asked) => {
    const page = await store.readAll(...asked)
    read += page.scanned
    return page
  }
  return { store: { ...store, readAll }, read: () => read, add }
}

it('counts unprocessed events up to a thousand, and reads none twice for a projection that has failed', async () => {
  const { store, read, add } = await createFilledStore(998)
  const count = createLagCounter(store)
  const lag = async () => (await count([null, null], await store.head()))(null)
  expect(await lag()).toBe(998)
  expect(await lag()).toBe(998)
  expect(read()).toBe(998)
  await add()
  expect(await lag()).toBe(999)
  for (let n = 0; n < 9; n++) await add()
  expect(await lag()).toBe(1_000)
  expect(await lag()).toBe(1_000)
  expect(read()).toBe(1_000)
})

it('counts again after a move, and returns 0 at the head', async () => {
  const { store } = await createFilledStore(5)
  const count = createLagCounter(store)
  const head = await store.head()
  const { next } = await store.readAll(null, { limit: 2 })
  expect((await count([null, next, head], head))(null)).toBe(5)
  const lagAt = await count([null, next, head], head)
  expect([next, head].map(lagAt)).toEqual([3, 0])
})
