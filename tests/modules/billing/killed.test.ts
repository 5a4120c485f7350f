import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { commandBus } from '#eventstore/command-bus.ts'
import type { EventStore } from '#eventstore/event-store.ts'
import { beginCheckout } from '#modules/billing/checkout.ts'
import { billingDecider } from '#modules/billing/decider.ts'
import { sandboxDecider } from '#modules/billing/sandbox/decider.ts'
import { sandboxProvider } from '#modules/billing/sandbox/provider.ts'
import { keyedHashWith } from '#runtime/secrets.ts'
import { memoryStore } from '#tests/support/memory-store.ts'
import { practiceId } from './life.ts'

const context = { practiceId, actor: { kind: 'process', name: 'test' }, correlationId: 'one click' } as const

/** A house whose process is gone after so many appends, until it is started again. */
function house() {
  const kept = memoryStore()
  let left = Infinity
  const store: EventStore = {
    ...kept,
    async append(stream, expected, events) {
      if (left-- <= 0) throw new Error('The process was killed')
      return await kept.append(stream, expected, events)
    },
  }
  const clock = () => new Date('2026-11-21T09:00:00.000Z')
  const bus = commandBus({ store, clock, caughtUp: async () => undefined })
  const provider = sandboxProvider({ bus, clock, keyedHash: keyedHashWith('a key of the test') })
  const parts = { bus, newId: randomUUID }
  return {
    dieAfter: (appends: number) => {
      left = appends
    },
    choose: (plan: 'starter' | 'professional') => beginCheckout(parts, provider, practiceId, plan, context),
    known: async () => (await bus.load(billingDecider, practiceId)).state.subscriptions,
    books: async () => (await bus.load(sandboxDecider, practiceId)).state.subscriptions,
  }
}

it.each([0, 1, 2, 3])(
  'whoever is killed after %i steps of choosing a plan has one subscription, and none is lost',
  async (steps) => {
    const { dieAfter, choose, known, books } = house()
    dieAfter(steps)
    await choose('professional').catch(() => undefined)
    dieAfter(Infinity)
    const secret = await choose('professional')
    expect(await choose('professional')).toEqual(secret)
    expect(Object.keys(await books())).toHaveLength(1)
    expect(Object.keys(await known())).toEqual(Object.keys(await books()))
  },
)

it.each([0, 1, 2, 3])(
  'whoever is killed after %i steps of choosing another plan can pay for one alone',
  async (steps) => {
    const { dieAfter, choose, books } = house()
    await choose('professional')
    dieAfter(steps)
    await choose('starter').catch(() => undefined)
    dieAfter(Infinity)
    await choose('starter')
    const open = Object.values(await books()).filter(({ subscription }) => subscription.status === 'incomplete')
    expect(open.map(({ subscription }) => subscription.plan)).toEqual(['starter'])
  },
)
