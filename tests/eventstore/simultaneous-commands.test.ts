import { expect, it } from 'vitest'
import { z } from 'zod'
import { createCommandBus } from '#eventstore/command-bus.ts'
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

const createBus = () =>
  createCommandBus({
    store: createMemoryStore(),
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
