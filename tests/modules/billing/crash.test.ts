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

/** Billing on a store whose appends fail after `crashAfter`, as if the process had been killed. */
function createCrashableBilling() {
  const memoryStore = createMemoryStore()
  let appendsLeft = Infinity
  const store: EventStore = {
    ...memoryStore,
    async append(stream, expected, events) {
      if (appendsLeft-- <= 0) throw new Error('The process was killed')
      return await memoryStore.append(stream, expected, events)
    },
  }
  const clock = () => new Date('2026-11-21T09:00:00.000Z')
  const bus = createCommandBus({ store, clock, waitUntilCaughtUp: async () => undefined })
  const provider = sandboxProvider({ bus, clock, keyedHash: createKeyedHash('a key of the test') })
  const parts = { bus, newId: () => randomUUID() }
  return {
    bus,
    clock,
    provider,
    crashAfter: (appends: number) => {
      appendsLeft = appends
    },
    choose: (plan: 'starter' | 'professional') =>
      startCheckout(parts, provider, practiceId, { plan, patients: 0, providers: 0 }, context),
    loadSubscriptions: async () => (await bus.load(billingDecider, practiceId)).state.subscriptions,
    loadLedger: async () => (await bus.load(sandboxDecider, practiceId)).state.subscriptions,
  }
}

it.each([0, 1, 2, 3])(
  'a retry after a crash at append %i of choosing a plan leads to exactly one subscription',
  async (steps) => {
    const { crashAfter, choose, loadSubscriptions, loadLedger } = createCrashableBilling()
    crashAfter(steps)
    await choose('professional').catch(() => undefined)
    crashAfter(Infinity)
    const secret = await choose('professional')
    expect(await choose('professional')).toEqual(secret)
    expect(Object.keys(await loadLedger())).toHaveLength(1)
    expect(Object.keys(await loadSubscriptions())).toEqual(Object.keys(await loadLedger()))
  },
)

it.each([0, 1, 2, 3, 4, 5])(
  'a retry after a crash at append %i of choosing another plan leaves one payable subscription',
  async (steps) => {
    const { crashAfter, choose, loadLedger } = createCrashableBilling()
    await choose('professional')
    crashAfter(steps)
    await choose('starter').catch(() => undefined)
    crashAfter(Infinity)
    await choose('starter')
    const open = Object.values(await loadLedger()).filter(({ subscription }) => subscription.status === 'incomplete')
    expect(open.map(({ subscription }) => subscription.plan)).toEqual(['starter'])
  },
)

it('two plans chosen at the same moment leave one payable subscription', async () => {
  const billing = createCrashableBilling()
  const outcomes = await Promise.allSettled([billing.choose('starter'), billing.choose('professional')])
  const secrets = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value.clientSecret] : []))
  const open = Object.values(await billing.loadLedger()).filter(
    ({ subscription }) => subscription.status === 'incomplete',
  )
  expect(open.length).toBeLessThan(2)
  expect(secrets.length).toBeLessThan(2)
  // The next choice succeeds in any case.
  const { clientSecret } = await billing.choose('professional')
  const [last, ...others] = Object.values(await billing.loadLedger()).filter(
    ({ subscription }) => subscription.status === 'incomplete',
  )
  expect(others).toEqual([])
  expect(clientSecret).toContain(last?.subscription.subscriptionId)
})

it.each(['starter', 'professional'] as const)(
  'a plan paid without a received webhook blocks the choice of %s',
  async (plan) => {
    const billing = createCrashableBilling()
    await billing.choose('starter')
    const [subscriptionId = ''] = Object.keys(await billing.loadLedger())
    await executeSandbox(billing, practiceId, { type: 'Pay', subscriptionId, card, confirmed: false })
    await expect(billing.choose(plan)).rejects.toThrow('You have a subscription already')
    expect(Object.values(await billing.loadSubscriptions()).map(({ subscription }) => subscription.status)).toEqual([
      'trialing',
    ])
    expect(Object.keys(await billing.loadLedger())).toHaveLength(1)
  },
)

describe.each(['cancelAtPeriodEnd', 'reactivate', 'changePlan'] as const)('%s at the provider', (change) => {
  const requests = {
    cancelAtPeriodEnd: { type: 'CancelSubscription' },
    reactivate: { type: 'ReactivateSubscription' },
    changePlan: {
      type: 'ChangeSubscriptionPlan',
      plan: 'professional',
      patients: 0,
      patientLimit: null,
      providers: 0,
      providerLimit: null,
    },
  } as const
  const applyChange = (
    { provider }: ReturnType<typeof createCrashableBilling>,
    subscription: Parameters<typeof provider.getSubscription>[0],
  ) => (change === 'changePlan' ? provider.changePlan(subscription, 'professional') : provider[change](subscription))

  it('happens once, although the process was killed before it recorded the reply', async () => {
    const billing = createCrashableBilling()
    const { bus, provider } = billing
    await billing.choose('starter')
    const [subscriptionId = ''] = Object.keys(await billing.loadLedger())
    const subscription = { practiceId, subscriptionId }
    const recordUpdate = async (snapshot: ProviderSnapshot | null) =>
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
    await executeSandbox(billing, practiceId, { type: 'Pay', subscriptionId, card, confirmed: false })
    if (change === 'reactivate') await provider.cancelAtPeriodEnd(subscription)
    await recordUpdate(await provider.getSubscription(subscription))

    // The process is killed here: the provider has made the change, and its reply is lost.
    await applyChange(billing, subscription)
    // The second click is not refused and leads to the same state.
    await bus.execute(billingDecider, practiceId, requests[change], context)
    expect(await recordUpdate(await applyChange(billing, subscription))).toHaveLength(1)
    expect(await recordUpdate(await provider.getSubscription(subscription))).toEqual([])
    const recorded = (await billing.loadSubscriptions())[subscriptionId]?.subscription
    expect(recorded).toEqual((await billing.loadLedger())[subscriptionId]?.subscription)
    expect(recorded).toMatchObject({
      cancelAtPeriodEnd: change === 'cancelAtPeriodEnd',
      plan: change === 'changePlan' ? 'professional' : 'starter',
    })
  })
})
