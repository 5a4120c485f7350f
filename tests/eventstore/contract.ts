import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type EventStore,
  EventIdConflict,
  type ExpectedRevision,
  ForeignPosition,
  maxAppendBytes,
} from '#eventstore/event-store.ts'
import { newEvent, readAllEvents, readStream } from '#tests/support/events.ts'
import { filteredReads, readIdsAfter } from './filtered-reads-contract.ts'

type Opened = { store: EventStore; close(): Promise<void> }

/** The contract of an event store: the same cases for every adapter. */
export function contract(name: string, open: () => Promise<Opened>): void {
  describe(`the event store contract: ${name}`, () => {
    let opened: Opened
    let store: EventStore
    const stream = () => `case-${randomUUID()}`

    beforeAll(async () => {
      opened = await open()
      store = opened.store
    })
    afterAll(() => opened.close())

    it('returns exactly what was written', async () => {
      const name = stream()
      const data = {
        text: 'Zoë 🦷 \u0000 \ud800',
        empty: {},
        list: [1, null, 'x'],
        big: '90071992547409931',
        nested: { a: [{}] },
      }
      const event = newEvent('Written', data, { practiceId: randomUUID(), sample: true })
      const appended = await store.append(name, 'no-stream', [event, newEvent('Empty', {})])
      expect(appended).toMatchObject({ status: 'appended', revision: 1n })
      const [first, second] = await readStream(store, name)
      expect(first).toMatchObject({ ...event, stream: name, revision: 0n })
      expect(second).toMatchObject({ type: 'Empty', data: {}, revision: 1n })
    })

    it('accepts one mebibyte in an append and not a byte more', async () => {
      const frame = JSON.stringify({ text: '' }).length
      const text = 'x'.repeat(maxAppendBytes - frame)
      const name = stream()
      expect(await store.append(name, 'no-stream', [newEvent('Big', { text: `${text}x` })])).toEqual({
        status: 'too-large',
      })
      expect(await readStream(store, name)).toEqual([])
      expect(await store.append(name, 'no-stream', [newEvent('Big', { text })])).toMatchObject({ status: 'appended' })
      expect((await readStream(store, name))[0]?.data).toEqual({ text })
    })

    it('counts bytes, not characters, over all events of one append', async () => {
      const frame = JSON.stringify({ text: '' }).length
      const half = '🦷'.repeat((maxAppendBytes / 2 - frame) / 4)
      const rest = (maxAppendBytes / 2 - frame) % 4
      const pair = (more: string) => [
        newEvent('Half', { text: half + 'x'.repeat(rest) }),
        newEvent('Half', { text: half + more }),
      ]
      const name = stream()
      expect(await store.append(name, 'no-stream', pair('x'.repeat(rest + 1)))).toEqual({ status: 'too-large' })
      expect(await store.append(name, 'no-stream', pair('x'.repeat(rest)))).toMatchObject({ revision: 1n })
      expect((await readStream(store, name)).map(({ data }) => data)).toEqual(
        pair('x'.repeat(rest)).map(({ data }) => data),
      )
    })

    it('creates a stream once', async () => {
      const name = stream()
      await store.append(name, 'no-stream', [newEvent()])
      expect(await store.append(name, 'no-stream', [newEvent()])).toEqual({ status: 'conflict', actual: 0n })
    })

    it('returns a conflict for a revision that is not the last', async () => {
      const name = stream()
      expect(await store.append(name, 4n, [newEvent()])).toEqual({ status: 'conflict', actual: 'no-stream' })
      await store.append(name, 'no-stream', [newEvent(), newEvent()])
      expect(await store.append(name, 0n, [newEvent()])).toEqual({ status: 'conflict', actual: 1n })
      expect(await store.append(name, 1n, [newEvent()])).toMatchObject({ status: 'appended', revision: 2n })
    })

    it('writes the same events once, however often they are sent', async () => {
      const name = stream()
      const events = [newEvent('A', { n: 1 }), newEvent('B', { n: 2 })]
      const first = await store.append(name, 'no-stream', events)
      await store.append(name, 1n, [newEvent('C')])
      const again = await store.append(name, 'no-stream', events)
      expect(again).toEqual({ ...first, status: 'already-appended' })
      expect(await readStream(store, name)).toHaveLength(3)
    })

    it('refuses other content under a used id', async () => {
      const name = stream()
      const event = newEvent('A', { n: 1 })
      await store.append(name, 'no-stream', [event])
      await expect(store.append(name, 'no-stream', [{ ...event, data: { n: 2 } }])).rejects.toThrow(EventIdConflict)
      await expect(store.append(name, 'no-stream', [{ ...event, type: 'B' }])).rejects.toThrow(EventIdConflict)
      expect(await readStream(store, name)).toMatchObject([{ type: 'A', data: { n: 1 } }])
    })

    it('returns a conflict when only some of the events were written before', async () => {
      const name = stream()
      const event = newEvent('A', { n: 1 })
      await store.append(name, 'no-stream', [event])
      expect(await store.append(name, 'no-stream', [event, newEvent('B')])).toEqual({ status: 'conflict', actual: 0n })
      expect(await readStream(store, name)).toHaveLength(1)
    })

    it('writes the same events once when they are sent concurrently', async () => {
      const name = stream()
      const events = [newEvent('A', { n: 1 }), newEvent('B', { n: 2 })]
      const outcomes = await Promise.all([1, 2, 3].map(() => store.append(name, 'no-stream', events)))
      expect(outcomes.map(({ status }) => status).toSorted()).toEqual([
        'already-appended',
        'already-appended',
        'appended',
      ])
      expect(await readStream(store, name)).toHaveLength(2)
    })

    it('lets one of twenty concurrent writers win and does not affect writers of other streams', async () => {
      const name = stream()
      const neighbours = Array.from({ length: 20 }, stream)
      const outcomes = await Promise.all([
        ...neighbours.map(() => store.append(name, 'no-stream', [newEvent()])),
        ...neighbours.map((other) => store.append(other, 'no-stream', [newEvent()])),
      ])
      expect(outcomes.slice(0, 20).filter(({ status }) => status === 'appended')).toHaveLength(1)
      expect(outcomes.slice(0, 20).filter(({ status }) => status === 'conflict')).toHaveLength(19)
      expect(outcomes.slice(20).every(({ status }) => status === 'appended')).toBe(true)
    })

    it('reads a stream from any revision, over many pages', async () => {
      const name = stream()
      const events = Array.from({ length: 1_203 }, (_, n) => newEvent('Counted', { n }))
      await store.append(name, 'no-stream', events)
      for (const from of [0n, 1n, 499n, 500n, 501n, 1_000n, 1_202n, 1_203n, 9_999n]) {
        const read = await readStream(store, name, from)
        expect(read.map(({ data }) => data.n)).toEqual(events.slice(Number(from)).map(({ data }) => data.n))
      }
    })

    it('reads nothing from a stream that does not exist', async () => {
      expect(await readStream(store, stream())).toEqual([])
    })

    it('reads all events after a position in commit order, at every page size', async () => {
      const before = await store.head()
      const names = [stream(), stream(), stream()]
      for (let n = 0; n < 4; n++)
        for (const name of names)
          await store.append(name, n === 0 ? 'no-stream' : BigInt(n - 1), [newEvent('Ordered', { n, name })])
      const expected = [0, 1, 2, 3].flatMap((n) => names.map((name) => ({ n, name })))
      for (const page of [1, 2, 5, 11, 12, 13, 100]) {
        const seen: unknown[] = []
        for (let after = before; ;) {
          const { events, next } = await store.readAll(after, { limit: page })
          if (events.length === 0) break
          expect(events.length).toBeLessThanOrEqual(page)
          expect(events.every(({ position }) => after === null || position > after)).toBe(true)
          expect(next).toBe(events.at(-1)?.position)
          seen.push(...events.map(({ data }) => data))
          after = next
        }
        expect(seen).toEqual(expected)
      }
      const head = await store.head()
      expect(await store.readAll(head, { limit: 10 })).toEqual({ events: [], next: head, scanned: 0 })
    })

    it('estimates how far into the history a position is', async () => {
      const page = [newEvent(), newEvent(), newEvent()]
      await store.append(stream(), 'no-stream', page)
      const positions = (await readAllEvents(store)).map(({ position }) => position)
      const offsets = [null, ...positions].map((position) => store.estimateOffset(position))
      expect(offsets[0]).toBe(0)
      expect(offsets).toEqual([...new Set(offsets)].toSorted((a, b) => a - b))
      expect(() => store.estimateOffset('elsewhere-12')).toThrow(ForeignPosition)
    })

    filteredReads(() => store)

    it('returns the position of the newest event', async () => {
      const name = stream()
      const appended = await store.append(name, 'no-stream', [newEvent(), newEvent()])
      expect(await store.head()).toBe((appended as { position: string }).position)
      expect((await store.readAll(null, { limit: 100_000 })).next).toBe(await store.head())
      await store.append(name, 0n, [newEvent()])
      expect(await store.head()).toBe((appended as { position: string }).position)
    })

    it('refuses a position of another kind of store', async () => {
      await store.append(stream(), 'no-stream', [newEvent()])
      const head = (await store.head()) ?? ''
      expect(store.isOwnPosition(head)).toBe(true)
      for (const foreign of ['elsewhere-0000000000000000012', `${head}0`, '']) {
        expect(store.isOwnPosition(foreign)).toBe(false)
        await expect(store.readAll(foreign, { limit: 10 })).rejects.toThrow(ForeignPosition)
      }
    })

    it('wakes registered listeners only', async () => {
      let woken = 0
      const woke = new Promise<void>((resolve) => {
        const stop = store.onWake(() => {
          woken++
          stop()
          resolve()
        })
      })
      await store.append(stream(), 'no-stream', [newEvent()])
      await woke
      await store.append(stream(), 'no-stream', [newEvent()])
      expect(woken).toBe(1)
    })

    it('wakes listeners after an append that is not waited for, too', async () => {
      const { promise: woke, resolve } = Promise.withResolvers<void>()
      const stop = store.onWake(resolve)
      const { status } = await store.append(stream(), 'no-stream', [newEvent()], { isWaitedFor: false })
      expect(status).toBe('appended')
      await woke
      stop()
    })

    it('behaves like a list of lists under any sequence of operations', async () => {
      const at = fc.integer({ min: 0, max: 3 })
      const action = fc.oneof(
        {
          weight: 4,
          arbitrary: fc.record({
            does: fc.constant('append' as const),
            at,
            expected: fc.integer({ min: -1, max: 6 }),
            types: fc.array(fc.constantFrom('Step', 'Turn'), { minLength: 1, maxLength: 3 }),
          }),
        },
        {
          weight: 2,
          arbitrary: fc.record({ does: fc.constant('repeat' as const), back: fc.integer({ min: 1, max: 4 }) }),
        },
        {
          weight: 1,
          arbitrary: fc.record({ does: fc.constant('read' as const), at, from: fc.integer({ min: 0, max: 9 }) }),
        },
        {
          weight: 1,
          arbitrary: fc.record({
            does: fc.constant('readAll' as const),
            page: fc.integer({ min: 1, max: 7 }),
            types: fc.option(fc.subarray(['Step', 'Turn', 'Never']), { nil: undefined }),
          }),
        },
      )
      await fc.assert(
        fc.asyncProperty(fc.array(action, { maxLength: 25 }), async (actions) => {
          const run = randomUUID()
          const model: string[][] = [[], [], [], []]
          const order: { id: string; type: string }[] = []
          const written: { at: number; expected: ExpectedRevision; ids: string[]; again(): Promise<unknown> }[] = []
          const before = await store.head()
          const readAll = (page: number, types?: readonly string[]) =>
            readIdsAfter(store, before, { page, types, total: order.length })
          const inOrder = (types?: readonly string[]) =>
            order.filter(({ type }) => types?.includes(type) ?? true).map(({ id }) => id)
          const ids = async (stream: number, from = 0) =>
            (await readStream(store, `${run}-${stream}`, BigInt(from))).map(({ id }) => id)

          for (const one of actions) {
            if (one.does === 'read') expect(await ids(one.at, one.from)).toEqual(model[one.at]?.slice(one.from))
            else if (one.does === 'readAll') expect(await readAll(one.page, one.types)).toEqual(inOrder(one.types))
            else if (one.does === 'repeat') {
              const earlier = written.at(-one.back)
              const first = earlier?.expected === 'no-stream' ? 0n : (earlier?.expected ?? 0n) + 1n
              const revision = first + BigInt((earlier?.ids.length ?? 0) - 1)
              if (earlier) expect(await earlier.again()).toMatchObject({ status: 'already-appended', revision })
            } else {
              const list = model[one.at] ?? []
              const expected = one.expected === -1 ? 'no-stream' : BigInt(one.expected)
              const events = one.types.map((type) => newEvent(type, { run }))
              const append = () => store.append(`${run}-${one.at}`, expected, events)
              const actual = list.length === 0 ? 'no-stream' : BigInt(list.length - 1)
              const outcome = await append()
              if (expected !== actual) {
                expect(outcome).toEqual({ status: 'conflict', actual })
                continue
              }
              expect(outcome).toMatchObject({
                status: 'appended',
                revision: BigInt(list.length + one.types.length - 1),
              })
              const added = events.map(({ id }) => id)
              list.push(...added)
              order.push(...events.map(({ id, type }) => ({ id, type })))
              written.push({ at: one.at, expected, ids: added, again: append })
            }
          }
          for (const [stream, all] of model.entries()) expect(await ids(stream)).toEqual(all)
          expect(await readAll(1_000)).toEqual(inOrder())
          expect(await readAll(3, ['Turn'])).toEqual(inOrder(['Turn']))
        }),
        { numRuns: 40 },
      )
    })

    it('assigns unique, increasing positions over the whole history', async () => {
      const positions = (await readAllEvents(store, 97)).map(({ position }) => position)
      expect(positions).toEqual([...new Set(positions)].toSorted())
    })
  })
}
