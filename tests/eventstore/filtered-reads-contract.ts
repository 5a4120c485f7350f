import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import type { Position } from '#eventstore/event.ts'
import { type EventStore, ForeignPosition } from '#eventstore/event-store.ts'
import { newEvent } from '#tests/support/events.ts'

/** The part of the contract about reading events of some types only. */
export function filteredReads(store: () => EventStore): void {
  const stream = () => `asked-${randomUUID()}`

  it('returns only events of the given types, over the same pages as all of them', async () => {
    const before = await store().head()
    const types = ['A', 'B', 'A', 'A', 'C', 'A', 'B', 'A', 'A', 'A', 'A', 'C', 'B']
    for (let at = 0; at < types.length; at += 4)
      await store().append(
        stream(),
        'no-stream',
        types.slice(at, at + 4).map((type) => newEvent(type)),
      )
    for (const asked of [[], ['A'], ['B'], ['C'], ['C', 'B'], ['A', 'B', 'C'], ['a'], ['A', 'Never']])
      for (const page of [1, 2, 4, 5, 12, 13, 14, 100])
        for (let after = before, seen = -1; seen !== 0;) {
          const every = await store().readAll(after, { limit: page })
          const some = await store().readAll(after, { limit: page, types: asked })
          expect(some).toEqual({ ...every, events: every.events.filter(({ type }) => asked.includes(type)) })
          expect(every.scanned).toBe(every.events.length)
          after = some.next
          seen = some.scanned
        }
    for (const asked of [undefined, [], ['A']])
      await expect(store().readAll('elsewhere-12', { limit: 10, types: asked })).rejects.toThrow(ForeignPosition)
  })

  it('continues over a long range without events of the given types', async () => {
    const before = await store().head()
    const [first, stretch, last] = [stream(), stream(), stream()]
    await store().append(first, 'no-stream', [newEvent('Rare')])
    await store().append(
      stretch,
      'no-stream',
      Array.from({ length: 1_203 }, (_, n) => newEvent('Counted', { n })),
    )
    await store().append(last, 'no-stream', [newEvent('Rare'), newEvent('Counted')])
    const pages: [found: string[], seen: number][] = []
    let after = before
    for (let more = true; more;) {
      const { events, next, scanned: seen } = await store().readAll(after, { limit: 400, types: ['Rare'] })
      pages.push([events.map((event) => event.stream), seen])
      more = seen === 400
      after = next
    }
    expect(pages).toEqual([
      [[first], 400],
      [[], 400],
      [[], 400],
      [[last], 6],
    ])
    expect(after).toBe(await store().head())
    expect(await store().readAll(after, { limit: 400, types: ['Rare'] })).toEqual({
      events: [],
      next: after,
      scanned: 0,
    })
  })
}

type Reading = { page: number; types?: readonly string[] | undefined; total: number }

/** Returns the ids of the events after a position, page by page, and checks the number of scanned events of each page; `total` is the number of all events. */
export async function idsAfter(
  store: EventStore,
  before: Position | null,
  { page, types, total }: Reading,
): Promise<string[]> {
  const ids: string[] = []
  let left = total
  for (let after = before; ;) {
    const { events, next, scanned: seen } = await store.readAll(after, { limit: page, types })
    ids.push(...events.map(({ id }) => id))
    expect(seen).toBe(Math.min(page, left))
    left -= seen
    if (seen < page) return ids
    after = next
  }
}
