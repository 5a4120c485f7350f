import fc from 'fast-check'
import { PracticeId } from '#contracts/values/ids.ts'
import { PlanId } from '#contracts/values/plans.ts'
import { fold, isRejection } from '#eventstore/decider.ts'
import { billingDecider, type BillingState, type ProviderSnapshot } from '#modules/billing/decider.ts'
import {
  sandboxDecider,
  type SandboxCommand,
  type SandboxState,
  testClockNow,
} from '#stand-ins/billing-sandbox/decider.ts'
import type { StoredCard, SandboxEvent } from '#modules/billing/sandbox/events.ts'

export const practiceId = PracticeId.parse('018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0002')
export const start = new Date('2026-01-31T12:00:00.000Z')
export const card: StoredCard = { brand: 'visa', lastFour: '4242', expMonth: 12, expYear: 2040, behaviour: 'succeeds' }

/** Returns the id of the n-th checkout of a simulation. */
export const createCheckoutId = (n: number) => `018f3b1e-7b1a-4c3e-9a53-${String(n).padStart(12, '0')}`
/** Returns the id of the subscription that belongs to the n-th checkout. */
export const createSubscriptionId = (n: number) => `sub_${String(n).padStart(12, '0')}`

/** One step of a simulation: a user action, a card payment, or time passing. */
export type Step =
  | { action: 'choose'; plan: PlanId }
  | { action: 'pay'; with: StoredCard['behaviour'] | 'declined' | 'insufficient' }
  | { action: 'change'; plan: PlanId }
  | { action: 'cancel' | 'reactivate' }
  | { action: 'wait'; days: number }

const plan = fc.constantFrom(...PlanId.options)
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ action: fc.constant('choose' as const), plan }),
  {
    weight: 2,
    arbitrary: fc.record({
      action: fc.constant('pay' as const),
      with: fc.constantFrom('succeeds', 'succeeds', 'fails-later', 'requires-confirmation', 'declined', 'insufficient'),
    }),
  },
  fc.record({ action: fc.constant('change' as const), plan }),
  fc.record({ action: fc.constantFrom('cancel' as const, 'reactivate' as const) }),
  { weight: 2, arbitrary: fc.record({ action: fc.constant('wait' as const), days: fc.integer({ min: 1, max: 40 }) }) },
)

/** Generates simulations; most start with a chosen plan and a card. */
export const steps = fc
  .tuple(
    plan,
    fc.constantFrom('succeeds', 'fails-later') as fc.Arbitrary<StoredCard['behaviour']>,
    fc.array(step, { maxLength: 14 }),
  )
  .map(([chosen, cardBehaviour, more]): Step[] => [
    { action: 'choose', plan: chosen },
    { action: 'pay', with: cardBehaviour },
    ...more,
  ])

/** The provider's ledger after one of its events, and the webhook that it sent. */
export type Moment = { at: string; message: ProviderSnapshot | null; ledger: SandboxState }

/** The result of a simulation, in the provider's own order. */
export type Simulation = { moments: Moment[]; messages: ProviderSnapshot[]; ledger: SandboxState; now: string }

/** Runs the steps against the sandbox. Refused steps have no effect. */
export function simulate(all: readonly Step[]): Simulation {
  const history: SandboxEvent[] = []
  const moments: Moment[] = []
  let chosen = 0

  function execute(command: SandboxCommand): void {
    const decided = sandboxDecider.decide(command, fold(sandboxDecider, history))
    if (isRejection(decided)) return
    for (const event of decided) {
      history.push(sandboxDecider.events.parse(event))
      const ledger = fold(sandboxDecider, history)
      moments.push({ at: testClockNow(ledger, start), message: toWebhook(event), ledger })
    }
  }

  for (const current of all) {
    const base = { practiceId, now: start }
    const subscriptionId = createSubscriptionId(chosen)
    if (current.action === 'choose') {
      chosen++
      // Choosing again abandons the previous, unpaid choice.
      execute({ ...base, type: 'Abandon', subscriptionId })
      const created = { subscriptionId: createSubscriptionId(chosen), checkoutId: createCheckoutId(chosen) }
      execute({ ...base, type: 'Create', ...created, plan: current.plan })
      if (!fold(sandboxDecider, history).subscriptions[created.subscriptionId]) chosen--
    } else if (current.action === 'pay') {
      const usedCard =
        current.with === 'declined' || current.with === 'insufficient'
          ? current.with
          : { ...card, behaviour: current.with }
      execute({ ...base, type: 'Pay', subscriptionId, card: usedCard, confirmed: true })
    } else if (current.action === 'change') execute({ ...base, type: 'ChangePlan', subscriptionId, plan: current.plan })
    else if (current.action === 'wait') {
      execute({ ...base, type: 'Advance', days: current.days })
      execute({ ...base, type: 'Tick' })
    } else execute({ ...base, type: current.action === 'cancel' ? 'CancelAtPeriodEnd' : 'Reactivate', subscriptionId })
  }
  const ledger = fold(sandboxDecider, history)
  return {
    moments,
    messages: moments.flatMap(({ message }) => message ?? []),
    ledger,
    now: testClockNow(ledger, start),
  }
}

/** Returns the webhook of a sandbox event; null when it sends none. */
function toWebhook(event: SandboxEvent): ProviderSnapshot | null {
  if (event.type === 'SandboxSubscriptionChanged') {
    const { observed, subscription } = event.data
    return { kind: 'subscription', observed, subscription, isRequested: false }
  }
  if (event.type !== 'SandboxInvoiceChanged') return null
  const { observed, invoice, subscriptionVersion } = event.data
  return { kind: 'invoice', observed, invoice, subscriptionVersion }
}

/**
 * Returns the billing state after these webhooks. With `fetchSubscription`, every subscription with a missed update is
 * fetched at the end.
 */
export function receive(
  messages: readonly ProviderSnapshot[],
  fetchSubscription?: (subscriptionId: string) => ProviderSnapshot | null,
) {
  const state = record(billingDecider.initial, messages)
  if (!fetchSubscription) return state
  const missing = Object.keys(state.missedUpdates)
  return record(
    state,
    missing.flatMap((id) => fetchSubscription(id) ?? []),
  )
}

function record(initial: BillingState, messages: readonly ProviderSnapshot[]): BillingState {
  let state = initial
  for (const snapshot of messages) {
    const decided = billingDecider.decide({ type: 'RecordProviderUpdate', practiceId, snapshot }, state)
    if (isRejection(decided)) throw new Error('A provider update must never be refused')
    state = decided.map((event) => billingDecider.events.parse(event)).reduce(billingDecider.evolve, state)
  }
  return state
}

/** Returns the provider's replies at the end of a simulation. */
export const createFetch =
  ({ ledger, now }: Simulation) =>
  (subscriptionId: string): ProviderSnapshot | null => {
    const found = ledger.subscriptions[subscriptionId]
    if (!found) return null
    const observed = { version: found.version, at: now }
    return { kind: 'subscription', observed, subscription: found.subscription, isRequested: true }
  }

/** Returns the subscriptions and invoices of a billing state, without versions. */
export const contentsOfState = ({ subscriptions, invoices }: BillingState) => ({
  subscriptions: Object.fromEntries(
    Object.entries(subscriptions).map(([id, { subscription }]) => [id, subscription] as const),
  ),
  invoices: Object.fromEntries(Object.entries(invoices).map(([id, { invoice }]) => [id, invoice] as const)),
})

/** Returns the subscriptions and invoices of a ledger, without versions. */
export const contentsOfLedger = ({ subscriptions, invoices }: SandboxState) => ({
  subscriptions: Object.fromEntries(
    Object.entries(subscriptions).map(([id, { subscription }]) => [id, subscription] as const),
  ),
  invoices: Object.fromEntries(Object.entries(invoices).map(([id, { invoice }]) => [id, invoice] as const)),
})
