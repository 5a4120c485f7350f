import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createCommandBus } from '#eventstore/command-bus.ts'
import type { EventStore } from '#eventstore/event-store.ts'
import { startCheckout } from '#modules/billing/start-checkout.ts'
import { billingDecider, type ProviderSnapshot } from '#modules/billing/decider.ts'
import { sandboxDecider } from '#stand-ins/billing-sandbox/decider.ts'
import { executeSandbox, sandboxProvider } from '#stand-ins/billing-sandbox/provider.ts'
import { createKeyedHash } from '#runtime/secrets.ts'
import { createMemoryStore } from '#tests/support/memory-store.ts'
import { card, practiceId } from './simulated-subscription.ts'

const context = { practiceId, actor: { kind: 'process', name: 'test' }, correlationId: 'one click' } as const

/** A house whose process is gone after so many appends, until it is started again. */
function house() {
  const kept = createMemoryStore()
  let left = Infinity
  const store: EventStore = {
    ...kept,
    async append(stream, expected, events) {
      if (left-- <= 0) throw new Error('The process was killed')
      return await kept.append(stream, expected, events)
    },
  }
  const clock = () => new Date('2026-11-21T09:00:00.000Z')
  const bus = createCommandBus({ store, clock, waitUntilCaughtUp: async () => undefined })
  const provider = sandboxProvider({ bus, clock, keyedHash: createKeyedHash('a key of the test') })
  const parts = { bus, newId: randomUUID }
  return {
    bus,
    clock,
    provider,
    dieAfter: (appends: number) => {
      left = appends
    },
    choose: (plan: 'starter' | 'professional') => startCheckout(parts, provider, practiceId, plan, context),
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

it.each([0, 1, 2, 3, 4, 5])(
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

it('those who choose different plans at the same moment can pay for one alone', async () => {
  const home = house()
  const outcomes = await Promise.allSettled([home.choose('starter'), home.choose('professional')])
  const secrets = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value.clientSecret] : []))
  const open = Object.values(await home.books()).filter(({ subscription }) => subscription.status === 'incomplete')
  expect(open.length).toBeLessThan(2)
  expect(secrets.length).toBeLessThan(2)
  // Whatever came of it, the next choice goes through.
  const { clientSecret } = await home.choose('professional')
  const [left, ...others] = Object.values(await home.books()).filter(
    ({ subscription }) => subscription.status === 'incomplete',
  )
  expect(others).toEqual([])
  expect(clientSecret).toContain(left?.subscription.subscriptionId)
})

it.each(['starter', 'professional'] as const)(
  'a plan that was paid, unheard, cannot be paid again beside %s',
  async (plan) => {
    const home = house()
    await home.choose('starter')
    const [subscriptionId = ''] = Object.keys(await home.books())
    await executeSandbox(home, practiceId, { type: 'Pay', subscriptionId, card, confirmed: false })
    await expect(home.choose(plan)).rejects.toThrow('You have a subscription already')
    expect(Object.values(await home.known()).map(({ subscription }) => subscription.status)).toEqual(['trialing'])
    expect(Object.keys(await home.books())).toHaveLength(1)
  },
)

describe.each(['cancelAtPeriodEnd', 'reactivate', 'changePlan'] as const)('%s at the provider', (change) => {
  const wishes = {
    cancelAtPeriodEnd: { type: 'CancelSubscription' },
    reactivate: { type: 'ReactivateSubscription' },
    changePlan: { type: 'ChangeSubscriptionPlan', plan: 'professional', patients: 0, patientLimit: null },
  } as const
  const ask = ({ provider }: ReturnType<typeof house>, of: Parameters<typeof provider.getSubscription>[0]) =>
    change === 'changePlan' ? provider.changePlan(of, 'professional') : provider[change](of)

  it('is there once, though whoever asked for it was killed before the answer was written down', async () => {
    const home = house()
    const { bus, provider } = home
    await home.choose('starter')
    const [subscriptionId = ''] = Object.keys(await home.books())
    const of = { practiceId, subscriptionId }
    const takeIn = async (snapshot: ProviderSnapshot | null) =>
      snapshot
        ? (
            await bus.execute(
              billingDecider,
              practiceId,
              { type: 'RecordProviderUpdate', practiceId, snapshot },
              context,
            )
          ).events
        : []
    await executeSandbox(home, practiceId, { type: 'Pay', subscriptionId, card, confirmed: false })
    if (change === 'reactivate') await provider.cancelAtPeriodEnd(of)
    await takeIn(await provider.getSubscription(of))

    // Here the process is killed: the provider has done it, and nobody has heard.
    await ask(home, of)
    // The second click finds nothing in its way, and leads to the same.
    await bus.execute(billingDecider, practiceId, wishes[change], context)
    expect(await takeIn(await ask(home, of))).toHaveLength(1)
    expect(await takeIn(await provider.getSubscription(of))).toEqual([])
    const known = (await home.known())[subscriptionId]?.subscription
    expect(known).toEqual((await home.books())[subscriptionId]?.subscription)
    expect(known).toMatchObject({
      cancelAtPeriodEnd: change === 'cancelAtPeriodEnd',
      plan: change === 'changePlan' ? 'professional' : 'starter',
    })
  })
})
