import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createCommandBus, type SeenStream } from '#eventstore/command-bus.ts'
import { type Decider, reject } from '#eventstore/decider.ts'
import { event } from '#eventstore/event.ts'
import { type EventStore, NothingWritten, StoreUnavailable } from '#eventstore/event-store.ts'
import { readAllEvents } from '#tests/support/events.ts'
import { createMemoryStore } from '#tests/support/memory-store.ts'

const SeatTaken = event('SeatTaken', { seat: z.number() })
type SeatTaken = z.infer<typeof SeatTaken>

/** The seats of a hall, each of which is taken once. A seat of which the number is negative is taken already. */
const hall: Decider<number, SeatTaken, readonly number[]> = {
  category: 'hall',
  events: SeatTaken,
  initial: [],
  decide: (seat, taken) =>
    taken.includes(seat) ? reject('taken', 'Taken') : seat < 0 ? [] : [{ type: 'SeatTaken', data: { seat } }],
  evolve: (taken, { data }) => [...taken, data.seat],
}

const TicketEvent = z.discriminatedUnion('type', [
  event('TicketSold', { seat: z.number() }),
  event('TicketPrinted', { seat: z.number() }),
])
type TicketEvent = z.infer<typeof TicketEvent>

const ticket: Decider<number, TicketEvent, readonly string[]> = {
  category: 'ticket',
  events: TicketEvent,
  initial: [],
  decide: (seat) =>
    seat === 13
      ? reject('unlucky', 'There is no such seat')
      : [
          { type: 'TicketSold', data: { seat } },
          { type: 'TicketPrinted', data: { seat } },
        ],
  evolve: (state, { type }) => [...state, type],
}

const context = { practiceId: null, actor: { kind: 'process', name: 'test' }, correlationId: 'test' } as const
const now = '2026-11-20T08:00:00.000Z'

type SaleOptions = { seen?: SeenStream[]; key?: string; others?: readonly [hall: string, seat: number][] }

/** Returns a bus on a store, and what it has waited for and counted. */
function createBus(store: EventStore) {
  const waits: unknown[] = []
  const counts: number[] = []
  const bus = createCommandBus({
    store,
    clock: () => new Date(now),
    waitUntilCaughtUp: async (types, position) => waits.push([types, position]),
    onAppended: (_, count) => void counts.push(count),
  })
  /** Takes a seat and sells its ticket; `others` are seats in other halls that are taken with it. */
  const sell = (seat: number, { seen = [], key = `sale ${seat}`, others = [] }: SaleOptions = {}) =>
    bus.executeJointly(
      {
        first: { decider: hall, id: 'a', commands: [seat] },
        toNext: ([taken]) => {
          const sold = taken?.data.seat ?? -1
          return { decider: ticket, id: `${sold}`, commands: [sold], loaded: null }
        },
        others: others.map(([id, other]) => ({ decider: hall, id, commands: [other] })),
      },
      context,
      { idempotencyKey: key, seen },
    )
  return { bus, sell, waits, counts }
}

const streams = async (store: EventStore) => (await readAllEvents(store)).map(({ stream, type }) => `${stream} ${type}`)

describe('two commands in one append', () => {
  it('write the events of both, and wait for those of the second', async () => {
    const store = createMemoryStore()
    const { sell, waits, counts } = createBus(store)
    const sold = await sell(7)
    const events = await readAllEvents(store)
    expect(events.map(({ stream, type, metadata }) => [stream, type, metadata.at])).toEqual([
      ['hall-a', 'SeatTaken', now],
      ['ticket-7', 'TicketSold', now],
      ['ticket-7', 'TicketPrinted', now],
    ])
    expect(sold).toEqual({
      result: expect.objectContaining({ state: [7], revision: 0n, position: events[0]?.position }),
      next: expect.objectContaining({
        state: ['TicketSold', 'TicketPrinted'],
        events: [
          { type: 'TicketSold', data: { seat: 7 } },
          { type: 'TicketPrinted', data: { seat: 7 } },
        ],
        revision: 1n,
        position: events[2]?.position,
      }),
      at: now,
    })
    expect(waits).toEqual([[['TicketSold', 'TicketPrinted'], events[2]?.position]])
    expect(counts.toSorted()).toEqual([1, 2])
  })

  it('write with them those for other streams, which are read first, or nothing', async () => {
    const store = createMemoryStore()
    const { bus, sell, counts } = createBus(store)
    await bus.execute(hall, 'b', 1, context)
    await sell(7, { others: [['b', 2]] })
    expect(await streams(store)).toEqual([
      'hall-b SeatTaken',
      'hall-a SeatTaken',
      'ticket-7 TicketSold',
      'ticket-7 TicketPrinted',
      'hall-b SeatTaken',
    ])
    expect(counts.toSorted()).toEqual([1, 1, 3])
    expect((await bus.load(hall, 'b')).state).toEqual([1, 2])
    await expect(sell(8, { others: [['b', 2]] })).rejects.toThrow('Refused: taken')
    expect(await sell(8, { others: [['b', -1]] })).toBeNull()
    expect(await streams(store)).toHaveLength(5)
  })

  it('write nothing when the stream of the second has changed since the caller loaded it', async () => {
    const store = createMemoryStore()
    const { bus } = createBus(store)
    const print = async () => {
      const loaded = await bus.load(ticket, 'x')
      await bus.execute(ticket, 'x', 1, context)
      const work = {
        first: { decider: hall, id: 'a', commands: [1] },
        toNext: () => ({ decider: ticket, id: 'x', commands: [1], loaded }),
      }
      return await bus.executeJointly(work, context, { idempotencyKey: 'print', seen: [] })
    }
    expect(await print()).toBeNull()
    expect((await bus.load(hall, 'a')).revision).toBe('no-stream')
  })

  it.each([
    ['the store writes to one stream at a time', { hasJoint: false, before: [], seat: 7 }],
    ['a stream that was seen has changed', { hasJoint: true, before: ['seen'], seat: 7 }],
    ['the second stream exists', { hasJoint: true, before: ['ticket-7'], seat: 7 }],
    ['the first command has no effect', { hasJoint: true, before: [], seat: -1 }],
  ])('write nothing when %s', async (_, { hasJoint, before, seat }) => {
    const { appendTogether, ...store } = createMemoryStore()
    const { bus, sell } = createBus({ ...store, ...(hasJoint && appendTogether ? { appendTogether } : {}) })
    for (const stream of before) {
      const [category = '', id = ''] = stream.split('-')
      await bus.execute({ ...hall, category }, id, 1, context)
    }
    expect(await sell(seat, { seen: [{ stream: 'seen-', expected: 'no-stream' }] })).toBeNull()
    expect(await readAllEvents(store)).toHaveLength(before.length)
  })

  it('write nothing when an earlier execution has written', async () => {
    const store = createMemoryStore()
    const { sell } = createBus(store)
    await sell(7)
    expect(await sell(7)).toBeNull()
    expect(await readAllEvents(store)).toHaveLength(3)
  })

  it('write nothing when either is refused', async () => {
    const store = createMemoryStore()
    const { sell } = createBus(store)
    await sell(7)
    await expect(sell(7, { key: 'another sale' })).rejects.toThrow('Refused: taken')
    await expect(sell(13)).rejects.toThrow('Refused: unlucky')
    expect(await readAllEvents(store)).toHaveLength(3)
  })

  it('succeed beside any number of others on the first stream, which is read once', async () => {
    const memory = createMemoryStore()
    let reads = 0
    const { sell } = createBus({
      ...memory,
      read(...args) {
        reads++
        return memory.read(...args)
      },
    })
    const seats = [1, 2, 3, 4, 5]
    const sold = await Promise.all(seats.map((seat) => sell(seat)))
    expect(sold.map((each) => each?.result.revision)).toEqual([0n, 1n, 2n, 3n, 4n])
    expect(reads).toBe(1)
    expect(await streams(memory)).toEqual(
      seats.flatMap((seat) => ['hall-a SeatTaken', `ticket-${seat} TicketSold`, `ticket-${seat} TicketPrinted`]),
    )
  })

  it('are decided again when another instance has written to the first stream', async () => {
    const memory = createMemoryStore()
    const other = createBus(memory)
    let isFirst = true
    const { sell } = createBus({
      ...memory,
      async appendTogether(...args) {
        if (isFirst) await other.bus.execute(hall, 'a', 1, context)
        isFirst = false
        return (await memory.appendTogether?.(...args)) as never
      },
    })
    const both = await Promise.all([sell(7), sell(8)])
    expect(both.map((each) => each?.result.state)).toEqual([
      [1, 7],
      [1, 7, 8],
    ])
  })

  it.each([
    ['was written', true, new StoreUnavailable('no reply')],
    ['was not written', false, new NothingWritten('no connection')],
  ])('are written once when the reply to an append that %s is lost', async (_, isWritten, lost) => {
    const memory = createMemoryStore()
    let appends = 0
    const { sell } = createBus({
      ...memory,
      async appendTogether(...args) {
        if (appends++ > 0) return (await memory.appendTogether?.(...args)) as never
        if (isWritten) await memory.appendTogether?.(...args)
        throw lost
      },
    })
    expect(await sell(7)).toMatchObject({ result: { revision: 0n }, next: { revision: 1n } })
    expect(appends).toBe(2)
    expect(await streams(memory)).toEqual(['hall-a SeatTaken', 'ticket-7 TicketSold', 'ticket-7 TicketPrinted'])
  })
})
