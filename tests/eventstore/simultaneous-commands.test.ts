import { expect, it } from 'vitest'
import { z } from 'zod'
import { type CommandBus, createCommandBus } from '#eventstore/command-bus.ts'
import { type Decider, reject } from '#eventstore/decider.ts'
import { event } from '#eventstore/event.ts'
import { createMemoryStore } from '#tests/support/memory-store.ts'

const Counted = event('Counted', { n: z.number() })
type Counted = z.infer<typeof Counted>

/** Accepts every number except negative ones. */
const counter: Decider<number, Counted, readonly number[]> = {
  category: 'counter',
  events: Counted,
  initial: [],
  decide: (n) => (n < 0 ? reject('negative', 'Only positive numbers') : [{ type: 'Counted', data: { n } }]),
  evolve: (state, { data }) => [...state, data.n],
}

const context = { practiceId: null, actor: { kind: 'process', name: 'test' }, correlationId: 'test' } as const

const createBus = (store = createMemoryStore()) =>
  createCommandBus({
    store,
    clock: () => new Date('2026-11-20T08:00:00.000Z'),
    waitUntilCaughtUp: async () => undefined,
  })

it('executes many simultaneous commands for one stream in the order of the calls', async () => {
  const bus = createBus()
  const numbers = Array.from({ length: 40 }, (_, n) => n)
  await Promise.all(numbers.map((n) => bus.execute(counter, 'a', n, context)))
  expect((await bus.load(counter, 'a')).state).toEqual(numbers)
})

it('continues after a refused command', async () => {
  const bus = createBus()
  const results = await Promise.allSettled([1, -1, 2].map((n) => bus.execute(counter, 'a', n, context)))
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect((await bus.load(counter, 'a')).state).toEqual([1, 2])
})

/**
 * Returns a bus on a store whose reads and conflicts are counted, and one of another instance on the same store. Right after the
 * first append of the bus, `interrupt` writes with the other one.
 */
function createInterrupted(interrupt?: (other: CommandBus) => Promise<unknown>) {
  const store = createMemoryStore()
  const other = createBus(store)
  const counts = { reads: 0, appends: 0, conflicts: 0 }
  const bus = createBus({
    ...store,
    read(...args) {
      counts.reads++
      return store.read(...args)
    },
    async append(...args) {
      const appended = await store.append(...args)
      if (appended.status === 'conflict') counts.conflicts++
      if (counts.appends++ === 0) await interrupt?.(other)
      return appended
    },
  })
  return { bus, counts }
}

it('reads a stream once for simultaneous commands, and again for a later one', async () => {
  const { bus, counts } = createInterrupted()
  const results = await Promise.all([0, 1, 2, 3].map((n) => bus.execute(counter, 'a', n, context)))
  expect(results.map(({ revision, state }) => [Number(revision), state])).toEqual([
    [0, [0]],
    [1, [0, 1]],
    [2, [0, 1, 2]],
    [3, [0, 1, 2, 3]],
  ])
  expect(counts).toEqual({ reads: 1, appends: 4, conflicts: 0 })
  await bus.execute(counter, 'a', 4, context)
  expect(counts.reads).toBe(2)
  expect((await bus.load(counter, 'a')).state).toEqual([0, 1, 2, 3, 4])
})

it('reads a stream again when another instance has written in the meantime', async () => {
  const { bus, counts } = createInterrupted((other) => other.execute(counter, 'a', 100, context))
  await Promise.all([0, 1, 2].map((n) => bus.execute(counter, 'a', n, context)))
  expect(counts).toEqual({ reads: 2, appends: 4, conflicts: 1 })
  expect((await bus.load(counter, 'a')).state).toEqual([0, 100, 1, 2])
})

it('recognizes a command that the one before it has already executed', async () => {
  const { bus, counts } = createInterrupted()
  const execute = () => bus.execute(counter, 'a', 7, context, { idempotencyKey: 'once' })
  const [first, second] = await Promise.all([execute(), execute()])
  expect([first.position, first.revision]).toEqual([second.position, second.revision])
  expect(counts).toEqual({ reads: 1, appends: 1, conflicts: 0 })
})

const LatchEvent = z.discriminatedUnion('type', [event('LatchSet', {}), event('LatchFreed', {})])
type LatchEvent = z.infer<typeof LatchEvent>

/** Is set only while it is free; setting it free has no effect while it is. */
const latch: Decider<'set' | 'free', LatchEvent, 'free' | 'set'> = {
  category: 'latch',
  events: LatchEvent,
  initial: 'free',
  decide(command, state) {
    if (command === 'free') return state === 'free' ? [] : [{ type: 'LatchFreed', data: {} }]
    return state === 'set' ? reject('set', 'It is set') : [{ type: 'LatchSet', data: {} }]
  },
  evolve: (_, { type }) => (type === 'LatchSet' ? 'set' : 'free'),
}

it('refuses a command only after reading the stream again', async () => {
  const { bus } = createInterrupted((other) => other.execute(latch, 'a', 'free', context))
  await Promise.all([bus.execute(latch, 'a', 'set', context), bus.execute(latch, 'a', 'set', context)])
  await expect(bus.execute(latch, 'a', 'set', context)).rejects.toThrow('Refused: set')
})

it('finds only after reading the stream again that a command has no effect', async () => {
  const setLatch = { ...latch, initial: 'set' } as const
  const { bus } = createInterrupted((other) => other.execute(setLatch, 'a', 'set', context))
  const free = () => bus.execute(setLatch, 'a', 'free', context)
  const results = await Promise.all([free(), free(), free()])
  expect(results.map(({ events }) => events.length)).toEqual([1, 1, 0])
})
