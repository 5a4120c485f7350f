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
export const began = new Date('2026-01-31T12:00:00.000Z')
export const card: StoredCard = { brand: 'visa', lastFour: '4242', expMonth: 12, expYear: 2040, behaviour: 'succeeds' }

/** The id of the n-th checkout of a life, and of the subscription that follows from it. */
export const checkoutIdOf = (n: number) => `018f3b1e-7b1a-4c3e-9a53-${String(n).padStart(12, '0')}`
export const subscriptionIdOf = (n: number) => `sub_${String(n).padStart(12, '0')}`

/** One thing that people, banks or time do. */
export type Step =
  | { does: 'choose'; plan: PlanId }
  | { does: 'pay'; with: StoredCard['behaviour'] | 'declined' | 'insufficient' }
  | { does: 'change'; plan: PlanId }
  | { does: 'cancel' | 'reactivate' }
  | { does: 'wait'; days: number }

const plan = fc.constantFrom(...PlanId.options)
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ does: fc.constant('choose' as const), plan }),
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('pay' as const),
      with: fc.constantFrom('succeeds', 'succeeds', 'fails-later', 'asks-first', 'declined', 'insufficient'),
    }),
  },
  fc.record({ does: fc.constant('change' as const), plan }),
  fc.record({ does: fc.constantFrom('cancel' as const, 'reactivate' as const) }),
  { weight: 2, arbitrary: fc.record({ does: fc.constant('wait' as const), days: fc.integer({ min: 1, max: 40 }) }) },
)

/** Whatever can happen to a subscription: most lives begin with a choice and a card. */
export const steps = fc
  .tuple(
    plan,
    fc.constantFrom('succeeds', 'fails-later') as fc.Arbitrary<StoredCard['behaviour']>,
    fc.array(step, { maxLength: 14 }),
  )
  .map(([chosen, paysWith, more]): Step[] => [
    { does: 'choose', plan: chosen },
    { does: 'pay', with: paysWith },
    ...more,
  ])

/** What the provider had in its books after one of its own facts. */
export type Moment = { at: string; message: ProviderSnapshot | null; books: SandboxState }

/** A life in the provider's own order. */
export type Life = { moments: Moment[]; messages: ProviderSnapshot[]; books: SandboxState; now: string }

/** Lets the provider live through it. What it refuses did not happen. */
export function live(all: readonly Step[]): Life {
  const history: SandboxEvent[] = []
  const moments: Moment[] = []
  let chosen = 0

  function ask(command: SandboxCommand): void {
    const decided = sandboxDecider.decide(command, fold(sandboxDecider, history))
    if (isRejection(decided)) return
    for (const event of decided) {
      history.push(sandboxDecider.events.parse(event))
      const books = fold(sandboxDecider, history)
      moments.push({ at: testClockNow(books, began), message: messageOf(event), books })
    }
  }

  for (const one of all) {
    // The state of the provider's clock: every step comes after what is due by then.
    const base = { practiceId, now: began }
    const subscriptionId = subscriptionIdOf(chosen)
    if (one.does === 'choose') {
      chosen++
      // Whoever chooses anew gives up what they chose before and never paid.
      ask({ ...base, type: 'Abandon', subscriptionId })
      const created = { subscriptionId: subscriptionIdOf(chosen), checkoutId: checkoutIdOf(chosen) }
      ask({ ...base, type: 'Create', ...created, plan: one.plan })
      if (!fold(sandboxDecider, history).subscriptions[created.subscriptionId]) chosen--
    } else if (one.does === 'pay') {
      const given = one.with === 'declined' || one.with === 'insufficient' ? one.with : { ...card, behaviour: one.with }
      ask({ ...base, type: 'Pay', subscriptionId, card: given, confirmed: true })
    } else if (one.does === 'change') ask({ ...base, type: 'ChangePlan', subscriptionId, plan: one.plan })
    else if (one.does === 'wait') {
      ask({ ...base, type: 'Advance', days: one.days })
      ask({ ...base, type: 'Tick' })
    } else ask({ ...base, type: one.does === 'cancel' ? 'CancelAtPeriodEnd' : 'Reactivate', subscriptionId })
  }
  const books = fold(sandboxDecider, history)
  return {
    moments,
    messages: moments.flatMap(({ message }) => message ?? []),
    books,
    now: testClockNow(books, began),
  }
}

/** What the provider would tell of one of its facts. */
function messageOf(event: SandboxEvent): ProviderSnapshot | null {
  if (event.type === 'SandboxSubscriptionChanged') {
    const { observed, subscription } = event.data
    return { kind: 'subscription', observed, subscription, isRequested: false }
  }
  if (event.type !== 'SandboxInvoiceChanged') return null
  const { observed, invoice, subscriptionVersion } = event.data
  return { kind: 'invoice', observed, invoice, subscriptionVersion }
}

/** What we know after these messages, and which subscriptions we asked the provider for, each answered at the end. */
export function told(
  messages: readonly ProviderSnapshot[],
  answer?: (subscriptionId: string) => ProviderSnapshot | null,
) {
  const state = take(billingDecider.initial, messages)
  if (!answer) return state
  const missing = Object.keys(state.missedUpdates)
  return take(
    state,
    missing.flatMap((id) => answer(id) ?? []),
  )
}

function take(from: BillingState, messages: readonly ProviderSnapshot[]): BillingState {
  let state = from
  for (const snapshot of messages) {
    const decided = billingDecider.decide({ type: 'RecordProviderUpdate', practiceId, snapshot }, state)
    if (isRejection(decided)) throw new Error('A snapshot of the provider is never refused')
    state = decided.map((event) => billingDecider.events.parse(event)).reduce(billingDecider.evolve, state)
  }
  return state
}

/** What the provider answers when it is asked for a subscription at the end of a life. */
export const answerOf =
  ({ books, now }: Life) =>
  (subscriptionId: string): ProviderSnapshot | null => {
    const found = books.subscriptions[subscriptionId]
    if (!found) return null
    const observed = { version: found.version, at: now }
    return { kind: 'subscription', observed, subscription: found.subscription, isRequested: true }
  }

/** The part of what we know that people see: without the moments at which we were told. */
export const known = ({ subscriptions, invoices }: BillingState) => ({
  subscriptions: Object.fromEntries(
    Object.entries(subscriptions).map(([id, { subscription }]) => [id, subscription] as const),
  ),
  invoices: Object.fromEntries(Object.entries(invoices).map(([id, { invoice }]) => [id, invoice] as const)),
})

/** The same of the provider's books. */
export const booked = ({ subscriptions, invoices }: SandboxState) => ({
  subscriptions: Object.fromEntries(
    Object.entries(subscriptions).map(([id, { subscription }]) => [id, subscription] as const),
  ),
  invoices: Object.fromEntries(Object.entries(invoices).map(([id, { invoice }]) => [id, invoice] as const)),
})
