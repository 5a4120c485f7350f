import { mkdtempSync, readdirSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import type { EventStore } from '#eventstore/event-store.ts'
import { spoolHistory } from '#eventstore/spooled-store.ts'
import { newEvent, readAllEvents } from '#tests/support/events.ts'
import { createMemoryStore } from '#tests/support/memory-store.ts'
import { contract } from './contract.ts'

const newFolder = () => mkdtempSync(join(tmpdir(), 'everchart-spool-'))

contract('memory, read once', () => spoolHistory(createMemoryStore(), newFolder()))

/** Returns a store with events of three types, and counts the pages that are read from it. */
async function createStore(events: number) {
  const memory = createMemoryStore()
  for (let from = 0; from < events; from += 1_000) {
    const types = Array.from({ length: Math.min(1_000, events - from) }, (_, each) => `Type${(from + each) % 3}`)
    await memory.append(
      `stream-${from}`,
      'no-stream',
      types.map((type, each) => newEvent(type, { number: from + each })),
    )
  }
  const counts = { reads: 0 }
  const store: EventStore = {
    ...memory,
    readAll(...args) {
      counts.reads++
      return memory.readAll(...args)
    },
  }
  return { memory, store, counts }
}

/** Returns the numbers in all events of a type. */
async function readNumbers(store: EventStore, type: string, limit = 700): Promise<unknown[]> {
  const numbers: unknown[] = []
  for (let after: string | null = null; ;) {
    const { events, next, scanned } = await store.readAll(after, { limit, types: [type] })
    numbers.push(...events.map(({ data }) => data['number']))
    if (scanned < limit) return numbers
    after = next
  }
}

const multiples = (events: number, rest: number) =>
  Array.from({ length: events }, (_, number) => number).filter((number) => number % 3 === rest)

describe('a history that is read once', () => {
  it('is fetched once, however often and by however many it is read', async () => {
    const { memory, store, counts } = await createStore(12_000)
    const spooled = await spoolHistory(store, newFolder())
    const read = await Promise.all(['Type0', 'Type1', 'Type2'].map((type) => readNumbers(spooled.store, type)))
    expect(read).toEqual([0, 1, 2].map((rest) => multiples(12_000, rest)))
    expect(await readNumbers(spooled.store, 'Type2', 5_000)).toEqual(multiples(12_000, 2))
    // Three pages, and one after the end for each of those that reached it.
    expect(counts.reads).toBeLessThanOrEqual(3 + 4)
    expect(await readAllEvents(spooled.store)).toEqual(await readAllEvents(memory))
    await spooled.close()
  })

  it('grows with the history', async () => {
    const { memory, store } = await createStore(10)
    const spooled = await spoolHistory(store, newFolder())
    expect(await readNumbers(spooled.store, 'Type1')).toEqual([1, 4, 7])
    await memory.append('later', 'no-stream', [newEvent('Type1', { number: 'later' })])
    expect(await readNumbers(spooled.store, 'Type1')).toEqual([1, 4, 7, 'later'])
    await spooled.close()
  })

  it('leaves no file', async () => {
    const folder = newFolder()
    const { store } = await createStore(10)
    const spooled = await spoolHistory(store, folder)
    await readNumbers(spooled.store, 'Type1')
    expect(readdirSync(folder)).toEqual([])
    await spooled.close()
  })

  it('is read from the store without a folder to write to, and when the disk is full', async () => {
    const { store } = await createStore(10)
    const nowhere = await spoolHistory(store, join(newFolder(), 'missing'))
    expect(nowhere.store).toBe(store)
    await nowhere.close()
    const spooled = await spoolHistory(store, newFolder())
    const handle = await open(join(newFolder(), 'any'), 'w')
    const full = new Error('ENOSPC: no space left on device')
    const write = vi.spyOn(Object.getPrototypeOf(handle) as typeof handle, 'write').mockRejectedValueOnce(full)
    try {
      expect(await readNumbers(spooled.store, 'Type1')).toEqual([1, 4, 7])
    } finally {
      write.mockRestore()
      await handle.close()
      await spooled.close()
    }
  })
})
