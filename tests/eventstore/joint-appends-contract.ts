import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  EventIdConflict,
  type EventStore,
  type ExpectedRevision,
  maxAppendBytes,
  type StreamAppend,
} from '#eventstore/event-store.ts'
import { newEvent, readAllEvents, readStream } from '#tests/support/events.ts'

type Opened = { store: EventStore; close(): Promise<void> }

/** The contract of appends to several streams, for the adapters that have them. */
export function jointAppends(name: string, open: () => Promise<Opened>): void {
  describe(`an append to several streams: ${name}`, () => {
    let opened: Opened
    let store: EventStore
    const stream = () => `joint-${randomUUID()}`
    const append = (appends: readonly StreamAppend[]) => {
      if (!store.appendTogether) throw new Error('This store cannot append to several streams')
      return store.appendTogether(appends)
    }
    const lengths = (...names: string[]) =>
      Promise.all(names.map(async (each) => (await readStream(store, each)).length))

    beforeAll(async () => {
      opened = await open()
      store = opened.store
    })
    afterAll(() => opened.close())

    it('writes all events in their order', async () => {
      const [one, other, seen] = [stream(), stream(), stream()]
      await store.append(one, 'no-stream', [newEvent()])
      await store.append(seen, 'no-stream', [newEvent(), newEvent()])
      const events = [newEvent('A', { n: 1 }), newEvent('B', { n: 2 }), newEvent('C', { n: 3 })] as const
      const appended = await append([
        { stream: one, expected: 0n, events: [events[0]] },
        { stream: seen, expected: 1n, events: [] },
        { stream: other, expected: 'no-stream', events: events.slice(1) },
      ])
      const written = (await readAllEvents(store)).slice(-3)
      expect(written.map(({ id, stream: of, revision }) => [id, of, revision])).toEqual([
        [events[0].id, one, 1n],
        [events[1].id, other, 0n],
        [events[2].id, other, 1n],
      ])
      expect(appended).toEqual({
        status: 'appended',
        written: [
          { revision: 1n, position: written[0]?.position },
          { revision: 1n, position: written[2]?.position },
        ],
      })
      expect(await lengths(seen)).toEqual([2])
    })

    it('writes nothing when any of the streams is at another revision, and names it', async () => {
      const [one, other, seen] = [stream(), stream(), stream()]
      await store.append(other, 'no-stream', [newEvent()])
      const write = (to: string, expected: StreamAppend['expected']) => ({ stream: to, expected, events: [newEvent()] })
      const compare = (expected: StreamAppend['expected']) => ({ stream: seen, expected, events: [] })
      expect(await append([write(one, 'no-stream'), write(other, 'no-stream')])).toEqual({
        status: 'conflict',
        streams: [other],
      })
      expect(await append([write(one, 'no-stream'), compare(3n)])).toEqual({ status: 'conflict', streams: [seen] })
      expect(await append([write(one, 5n), write(other, 0n), compare('no-stream')])).toEqual({
        status: 'conflict',
        streams: [one],
      })
      expect(await lengths(one, other, seen)).toEqual([0, 1, 0])
    })

    it('writes the same events once, whatever the compared streams have become', async () => {
      const [one, other, seen] = [stream(), stream(), stream()]
      const appends = [
        { stream: one, expected: 'no-stream', events: [newEvent('A', { n: 1 })] },
        { stream: other, expected: 'no-stream', events: [newEvent('B', { n: 2 }), newEvent('C')] },
        { stream: seen, expected: 'no-stream', events: [] },
      ] as const
      const first = await append(appends)
      await store.append(seen, 'no-stream', [newEvent()])
      await store.append(one, 0n, [newEvent()])
      expect(await append(appends)).toMatchObject({ ...first, status: 'already-appended' })
      expect(await lengths(one, other, seen)).toEqual([2, 2, 1])
    })

    it('refuses other content under a used id, and writes nothing', async () => {
      const [one, other] = [stream(), stream()]
      const event = newEvent('A', { n: 1 })
      await store.append(other, 'no-stream', [event])
      const appends = [
        { stream: one, expected: 'no-stream', events: [newEvent()] },
        { stream: other, expected: 0n, events: [{ ...event, data: { n: 2 } }] },
      ] as const
      await expect(append(appends)).rejects.toThrow(EventIdConflict)
      expect(await lengths(one, other)).toEqual([0, 1])
    })

    it('counts the bytes of all streams', async () => {
      const [one, other] = [stream(), stream()]
      const half = 'x'.repeat(maxAppendBytes / 2)
      const appends = [one, other].map((to) => ({
        stream: to,
        expected: 'no-stream' as const,
        events: [newEvent('Half', { half })],
      }))
      expect(await append(appends)).toEqual({ status: 'too-large' })
      expect(await lengths(one, other)).toEqual([0, 0])
    })

    it('wakes listeners', async () => {
      const { promise: woke, resolve } = Promise.withResolvers<void>()
      const stop = store.onWake(resolve)
      const to = [stream(), stream()]
      await append(to.map((name) => ({ stream: name, expected: 'no-stream', events: [newEvent()] })))
      await woke
      expect(await lengths(...to)).toEqual([1, 1])
      stop()
    })

    it('is written only while the compared streams stay as they are, with any writers at the same time', async () => {
      const work = fc.record({
        writes: fc.integer({ min: 0, max: 3 }),
        compares: fc.integer({ min: 0, max: 3 }),
        isAlone: fc.boolean(),
      })
      await fc.assert(
        fc.asyncProperty(fc.array(work, { minLength: 4, maxLength: 24, size: 'max' }), async (works) => {
          const streams = [stream(), stream(), stream(), stream()]
          const before = (await readAllEvents(store)).length
          const at = (index: number) => streams[index] as string
          /** Each reads the revisions first, and all of them append at the same moment. */
          async function run({ writes, compares, isAlone }: (typeof works)[number]) {
            const to = at(writes)
            const seen = at(compares === writes ? (compares + 1) % streams.length : compares)
            const [written, compared] = await lengths(to, seen)
            const revision = (length = 0): ExpectedRevision => (length === 0 ? 'no-stream' : BigInt(length - 1))
            const own = stream()
            const events = [newEvent('Written', { seen: isAlone ? null : seen, length: compared ?? 0 })]
            if (isAlone) return (await store.append(to, revision(written), events)).status
            const appends = [
              { stream: to, expected: revision(written), events },
              { stream: own, expected: 'no-stream' as const, events: [newEvent('Joined', {})] },
              { stream: seen, expected: revision(compared), events: [] },
            ]
            const { status } = await append(appends)
            expect(await lengths(own)).toEqual([status === 'appended' ? 1 : 0])
            return status
          }
          const statuses = await Promise.all(works.map(run))
          const history = (await readAllEvents(store)).slice(before)
          const written = history.filter(({ type }) => type === 'Written')
          expect(written).toHaveLength(statuses.filter((status) => status === 'appended').length)
          for (const [index, event] of history.entries()) {
            const { seen, length } = event.data as { seen?: string | null; length?: number }
            if (!seen) continue
            expect(history.slice(0, index).filter((each) => each.stream === seen)).toHaveLength(length ?? -1)
            expect(history[index + 1]?.type).toBe('Joined')
          }
        }),
        { numRuns: 40 },
      )
    })
  })
}
