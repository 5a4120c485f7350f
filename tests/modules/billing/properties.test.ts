import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { getPlan, plans } from '#contracts/values/plans.ts'
import { fold, isRejection } from '#eventstore/decider.ts'
import { computeAccess, currentSubscription, graceDays, isAccessValid } from '#modules/billing/access.ts'
import { billingDecider, type ProviderSnapshot } from '#modules/billing/decider.ts'
import type { BillingEvent } from '#modules/billing/events.ts'
import { addDays } from '#modules/billing/date-math.ts'
import { cases } from '#tests/support/long.ts'
import {
  contentsOfLedger,
  contentsOfState,
  createFetch,
  practiceId,
  receive,
  simulate,
  type Simulation,
  type Step,
  steps,
} from './simulated-subscription.ts'

/** The number of simulations per property; `npm run test:billing` sets LONG=1. */
const numRuns = cases(250, 10_000)
const always = (property: fc.IRawProperty<unknown, false>) => fc.assert(property as fc.IProperty<unknown>, { numRuns })

/** A simulation whose webhooks arrive in any order, some of them more than once. */
const shuffledSimulations = steps.chain((all) => {
  const simulation = simulate(all)
  const { messages } = simulation
  return fc
    .tuple(
      fc.shuffledSubarray(messages, { minLength: messages.length }),
      fc.array(fc.nat({ max: Math.max(0, messages.length - 1) }), { maxLength: 6 }),
    )
    .map(([order, again]) => ({
      all,
      simulation,
      arrived: messages.length === 0 ? [] : [...order, ...again.map((index) => messages[index] as ProviderSnapshot)],
    }))
})

const isRunning = ({ status }: { status: string }) => ['trialing', 'active', 'past_due'].includes(status)

describe('the subscription of a practice', () => {
  it('does not depend on the order of webhooks or on duplicates', () => {
    always(
      fc.property(shuffledSimulations, ({ simulation, arrived }) => {
        expect(contentsOfState(receive(arrived))).toEqual(contentsOfLedger(simulation.ledger))
      }),
    )
  })

  it('equals the ledger of the provider after every webhook in order', () => {
    always(
      fc.property(steps, (all) => {
        const { moments } = simulate(all)
        const soFar: ProviderSnapshot[] = []
        for (const { message, ledger } of moments) {
          if (message) soFar.push(message)
          expect(contentsOfState(receive(soFar))).toEqual(contentsOfLedger(ledger))
        }
      }),
    )
  })

  it('ignores repeated and late webhooks', () => {
    always(
      fc.property(shuffledSimulations, ({ simulation, arrived }) => {
        const state = receive(arrived)
        for (const snapshot of simulation.messages) {
          const events = billingDecider.decide({ type: 'RecordProviderUpdate', practiceId, snapshot }, state)
          expect(events).toEqual([])
        }
      }),
    )
  })

  it('recovers from lost webhooks as soon as an invoice reveals the gap', () => {
    always(
      fc.property(shuffledSimulations, fc.func(fc.boolean()), ({ simulation, arrived }, lost) => {
        const delivered = arrived.filter((snapshot) => snapshot.kind === 'invoice' || !lost(snapshot))
        const state = receive(delivered, createFetch(simulation))
        for (const { invoice, subscriptionVersion } of delivered.flatMap((snapshot) =>
          snapshot.kind === 'invoice' ? [snapshot] : [],
        )) {
          const observed = state.subscriptions[invoice.subscriptionId]?.observed.version ?? -1
          expect(observed).toBeGreaterThanOrEqual(subscriptionVersion)
        }
      }),
    )
  })

  it('is fetched, never inferred, when the clock of the provider is too coarse to order two states', () => {
    always(
      fc.property(shuffledSimulations, ({ simulation, arrived }) => {
        const coarse = (snapshot: ProviderSnapshot): ProviderSnapshot =>
          snapshot.kind === 'invoice'
            ? { ...snapshot, observed: { ...snapshot.observed, version: 0 }, subscriptionVersion: 0 }
            : { ...snapshot, observed: { ...snapshot.observed, version: Math.floor(snapshot.observed.version / 3) } }
        const fetchCoarsely = (id: string) => {
          const snapshot = createFetch(simulation)(id)
          return snapshot && coarse(snapshot)
        }
        const state = receive(arrived.map(coarse), fetchCoarsely)
        expect(contentsOfState(state)).toEqual(contentsOfLedger(simulation.ledger))
        expect(state.missedUpdates).toEqual({})
      }),
    )
  })
})

describe('access', () => {
  /** Calls `check` with the billing state after each webhook of a simulation. */
  function eachMoment(
    simulation: Simulation,
    check: (state: ReturnType<typeof receive>, at: string, message: ProviderSnapshot) => void,
  ) {
    const received: ProviderSnapshot[] = []
    for (const { at, message } of simulation.moments) {
      if (!message) continue
      received.push(message)
      check(receive(received), at, message)
    }
  }

  it('is never granted without a payment or a trial, whatever has arrived', () => {
    always(
      fc.property(shuffledSimulations, ({ simulation, arrived }) => {
        const withTrial = new Set(
          simulation.moments.flatMap(({ ledger }) =>
            Object.values(ledger.subscriptions).flatMap(({ subscription: { subscriptionId, trialEnd } }) =>
              trialEnd === null ? [] : [subscriptionId],
            ),
          ),
        )
        const paid = Object.values(simulation.ledger.invoices).flatMap(({ invoice }) =>
          invoice.status === 'paid' ? [invoice.subscriptionId] : [],
        )
        const earned = new Set([...withTrial, ...paid])
        const unearned = arrived
          .map((_, index) => receive(arrived.slice(0, index + 1)))
          .map(({ subscriptions, invoices }) => {
            const others = Object.entries(subscriptions).filter(([id]) => !earned.has(id))
            return computeAccess({ subscriptions: Object.fromEntries(others), invoices })
          })
          .filter((access) => access !== null)
        expect(unearned).toEqual([])
      }),
    )
  })

  it('is never granted for a plan that was only chosen', () => {
    const onlyChosen = fc.array(
      fc.record({ action: fc.constant('choose' as const), plan: fc.constantFrom(...plans.map(({ id }) => id)) }),
    )
    const refused: Step = { action: 'pay', with: 'declined' }
    always(
      fc.property(onlyChosen, fc.boolean(), (all, tried) => {
        const simulation = simulate(tried ? [...all, refused] : all)
        expect(computeAccess(receive(simulation.messages))).toBe(null)
      }),
    )
  })

  it('never ends before a paid period or the trial ends', () => {
    always(
      fc.property(shuffledSimulations, ({ simulation, arrived }) => {
        const { invoices, subscriptions } = contentsOfLedger(simulation.ledger)
        const promised = [
          ...Object.values(invoices).flatMap(({ status, periodEnd }) => (status === 'paid' ? [periodEnd] : [])),
          ...Object.values(subscriptions).flatMap(({ trialEnd }) => trialEnd ?? []),
        ]
        const access = computeAccess(receive(arrived))
        const broken = promised.filter((end) => simulation.now < end && !isAccessValid(access, simulation.now))
        expect(broken).toEqual([])
      }),
    )
  })

  it('outlasts a failed payment by exactly fourteen days', () => {
    always(
      fc.property(steps, (all) => {
        eachMoment(simulate(all), (state) => {
          const current = currentSubscription(state)
          if (current?.status !== 'past_due') return
          const end = addDays(current.currentPeriodStart, graceDays)
          expect(computeAccess(state)).toEqual({ kind: 'active', plan: current.plan, until: end })
          expect(isAccessValid(computeAccess(state), end)).toBe(false)
        })
      }),
    )
  })

  it('comes from at most one running subscription, so that no period is paid twice', () => {
    always(
      fc.property(steps, (all) => {
        for (const { ledger } of simulate(all).moments)
          expect(
            Object.values(ledger.subscriptions).filter(({ subscription }) => isRunning(subscription)).length,
          ).toBeLessThan(2)
      }),
    )
  })
})

describe('a change of the subscription', () => {
  it('upgrades immediately and downgrades at the end of the period', () => {
    always(
      fc.property(steps, fc.constantFrom(...plans), (all, chosen) => {
        const before = simulate(all)
        const from = currentSubscription(before.ledger)
        if (!from || !isRunning(from)) return
        const to = currentSubscription(simulate([...all, { action: 'change', plan: chosen.id }]).ledger)
        const refused = from.status === 'past_due'
        if (refused || chosen.id === from.plan) expect(to?.plan).toBe(from.plan)
        else if (chosen.price < getPlan(from.plan).price)
          expect(to).toMatchObject({ plan: from.plan, nextPlan: chosen.id })
        // If a payment is due immediately and the card is declined, nothing changes.
        else if (to?.plan !== chosen.id) expect(to).toEqual(from)
        else expect(to.nextPlan).toBe(null)
      }),
    )
  })

  it('has no effect when it is a cancellation followed by a reactivation', () => {
    always(
      fc.property(steps, (all) => {
        const before = simulate(all)
        const from = currentSubscription(before.ledger)
        if (!from || !isRunning(from) || from.cancelAtPeriodEnd) return
        const after = simulate([...all, { action: 'cancel' }, { action: 'reactivate' }])
        expect(contentsOfLedger(after.ledger)).toEqual(contentsOfLedger(before.ledger))
        expect(computeAccess(receive(after.messages))).toEqual(computeAccess(receive(before.messages)))
      }),
    )
  })

  it('is refused or left to the provider, never decided by us', () => {
    always(
      fc.property(
        steps,
        fc.constantFrom('CancelSubscription' as const, 'ReactivateSubscription' as const),
        (all, type) => {
          const state = receive(simulate(all).messages)
          const decided = billingDecider.decide({ type }, state)
          expect(isRejection(decided) || decided.length === 0).toBe(true)
        },
      ),
    )
  })
})

describe('an invoiced amount', () => {
  it('is in whole cents and never exceeds the monthly price of the most expensive plan', () => {
    always(
      fc.property(steps, (all) => {
        for (const { invoice } of Object.values(simulate(all).ledger.invoices)) {
          expect(Number.isInteger(invoice.amount.cents)).toBe(true)
          expect(invoice.amount.cents).toBeGreaterThanOrEqual(0)
          expect(invoice.amount.cents).toBeLessThanOrEqual(249_00)
        }
      }),
    )
  })
})

describe('the event stream', () => {
  it('gives the same state when it is read again', () => {
    always(
      fc.property(shuffledSimulations, ({ arrived }) => {
        const history: BillingEvent[] = []
        for (const snapshot of arrived) {
          const decided = billingDecider.decide(
            { type: 'RecordProviderUpdate', practiceId, snapshot },
            fold(billingDecider, history),
          )
          if (!isRejection(decided)) history.push(...decided)
        }
        const read = JSON.parse(JSON.stringify(history)) as BillingEvent[]
        expect(fold(billingDecider, read)).toEqual(receive(arrived))
      }),
    )
  })
})
