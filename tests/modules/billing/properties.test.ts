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
  answerOf,
  booked,
  known,
  type Life,
  live,
  practiceId,
  type Step,
  steps,
  told,
} from './simulated-subscription.ts'

/** Lives that each property is checked on; `npm run test:billing` sets LONG=1. */
const numRuns = cases(500, 10_000)
const always = (property: fc.IRawProperty<unknown, false>) => fc.assert(property as fc.IProperty<unknown>, { numRuns })

/** A life with its messages as a bad network brings them: any order, some of them more than once. */
const badlyTold = steps.chain((all) => {
  const life = live(all)
  const { messages } = life
  return fc
    .tuple(
      fc.shuffledSubarray(messages, { minLength: messages.length }),
      fc.array(fc.nat({ max: Math.max(0, messages.length - 1) }), { maxLength: 6 }),
    )
    .map(([order, again]) => ({
      all,
      life,
      arrived: messages.length === 0 ? [] : [...order, ...again.map((index) => messages[index] as ProviderSnapshot)],
    }))
})

const runs = ({ status }: { status: string }) => ['trialing', 'active', 'past_due'].includes(status)

describe('what a practice pays for', () => {
  it('is the same whatever order the messages arrive in, however often each of them', () => {
    always(
      fc.property(badlyTold, ({ life, arrived }) => {
        expect(known(told(arrived))).toEqual(booked(life.books))
      }),
    )
  })

  it('is what the provider has in its books after every single message of its own order', () => {
    always(
      fc.property(steps, (all) => {
        const { moments } = live(all)
        const soFar: ProviderSnapshot[] = []
        for (const { message, books } of moments) {
          if (message) soFar.push(message)
          expect(known(told(soFar))).toEqual(booked(books))
        }
      }),
    )
  })

  it('is not touched by a message that comes a second time, or comes late', () => {
    always(
      fc.property(badlyTold, ({ life, arrived }) => {
        const state = told(arrived)
        for (const snapshot of life.messages) {
          const events = billingDecider.decide({ type: 'RecordProviderUpdate', practiceId, snapshot }, state)
          expect(events).toEqual([])
        }
      }),
    )
  })

  it('heals from messages about it that never come as soon as an invoice shows the gap', () => {
    always(
      fc.property(badlyTold, fc.func(fc.boolean()), ({ life, arrived }, lost) => {
        const came = arrived.filter((snapshot) => snapshot.kind === 'invoice' || !lost(snapshot))
        const state = told(came, answerOf(life))
        for (const { invoice, subscriptionVersion } of came.flatMap((snapshot) =>
          snapshot.kind === 'invoice' ? [snapshot] : [],
        )) {
          const observed = state.subscriptions[invoice.subscriptionId]?.observed.version ?? -1
          expect(observed).toBeGreaterThanOrEqual(subscriptionVersion)
        }
      }),
    )
  })

  it('is asked for, never guessed, where the clock of the provider is too coarse to tell two of its states apart', () => {
    always(
      fc.property(badlyTold, ({ life, arrived }) => {
        const coarse = (snapshot: ProviderSnapshot): ProviderSnapshot =>
          snapshot.kind === 'invoice'
            ? { ...snapshot, observed: { ...snapshot.observed, version: 0 }, subscriptionVersion: 0 }
            : { ...snapshot, observed: { ...snapshot.observed, version: Math.floor(snapshot.observed.version / 3) } }
        const answer = (id: string) => {
          const snapshot = answerOf(life)(id)
          return snapshot && coarse(snapshot)
        }
        const state = told(arrived.map(coarse), answer)
        expect(known(state)).toEqual(booked(life.books))
        expect(state.missedUpdates).toEqual({})
      }),
    )
  })
})

describe('access', () => {
  /** Every moment of a life at which the provider has just changed something, as we know it then. */
  function eachMoment(
    life: Life,
    look: (state: ReturnType<typeof told>, at: string, message: ProviderSnapshot) => void,
  ) {
    const came: ProviderSnapshot[] = []
    for (const { at, message } of life.moments) {
      if (!message) continue
      came.push(message)
      look(told(came), at, message)
    }
  }

  it('is never there without a payment or a trial, whatever has arrived so far', () => {
    always(
      fc.property(badlyTold, ({ life, arrived }) => {
        const tried = new Set(
          life.moments.flatMap(({ books }) =>
            Object.values(books.subscriptions).flatMap(({ subscription: { subscriptionId, trialEnd } }) =>
              trialEnd === null ? [] : [subscriptionId],
            ),
          ),
        )
        const paid = Object.values(life.books.invoices).flatMap(({ invoice }) =>
          invoice.status === 'paid' ? [invoice.subscriptionId] : [],
        )
        const earned = new Set([...tried, ...paid])
        const unearned = arrived
          .map((_, index) => told(arrived.slice(0, index + 1)))
          .map(({ subscriptions, invoices }) => {
            const others = Object.entries(subscriptions).filter(([id]) => !earned.has(id))
            return computeAccess({ subscriptions: Object.fromEntries(others), invoices })
          })
          .filter((access) => access !== null)
        expect(unearned).toEqual([])
      }),
    )
  })

  it('is never there for a plan that was only chosen', () => {
    const onlyChosen = fc.array(
      fc.record({ does: fc.constant('choose' as const), plan: fc.constantFrom(...plans.map(({ id }) => id)) }),
    )
    const refused: Step = { does: 'pay', with: 'declined' }
    always(
      fc.property(onlyChosen, fc.boolean(), (all, tried) => {
        const life = live(tried ? [...all, refused] : all)
        expect(computeAccess(told(life.messages))).toBe(null)
      }),
    )
  })

  it('is never taken before the end of a period that was paid for, or of the trial', () => {
    always(
      fc.property(badlyTold, ({ life, arrived }) => {
        const { invoices, subscriptions } = booked(life.books)
        const promised = [
          ...Object.values(invoices).flatMap(({ status, periodEnd }) => (status === 'paid' ? [periodEnd] : [])),
          ...Object.values(subscriptions).flatMap(({ trialEnd }) => trialEnd ?? []),
        ]
        const access = computeAccess(told(arrived))
        const broken = promised.filter((end) => life.now < end && !isAccessValid(access, life.now))
        expect(broken).toEqual([])
      }),
    )
  })

  it('outlives a failed payment by fourteen days and not by one more', () => {
    always(
      fc.property(steps, (all) => {
        eachMoment(live(all), (state) => {
          const current = currentSubscription(state)
          if (current?.status !== 'past_due') return
          const end = addDays(current.currentPeriodStart, graceDays)
          expect(computeAccess(state)).toEqual({ kind: 'active', plan: current.plan, until: end })
          expect(isAccessValid(computeAccess(state), end)).toBe(false)
        })
      }),
    )
  })

  it('is only ever one subscription: a practice never pays twice for the same time', () => {
    always(
      fc.property(steps, (all) => {
        for (const { books } of live(all).moments)
          expect(
            Object.values(books.subscriptions).filter(({ subscription }) => runs(subscription)).length,
          ).toBeLessThan(2)
      }),
    )
  })
})

describe('a change', () => {
  it('of the plan comes at once when it costs more, and at the end of the period when it costs less', () => {
    always(
      fc.property(steps, fc.constantFrom(...plans), (all, wanted) => {
        const before = live(all)
        const from = currentSubscription(before.books)
        if (!from || !runs(from)) return
        const to = currentSubscription(live([...all, { does: 'change', plan: wanted.id }]).books)
        const refused = from.status === 'past_due'
        if (refused || wanted.id === from.plan) expect(to?.plan).toBe(from.plan)
        else if (wanted.price < getPlan(from.plan).price)
          expect(to).toMatchObject({ plan: from.plan, nextPlan: wanted.id })
        // Where a payment is due at once, a card that refuses it leaves everything as it was.
        else if (to?.plan !== wanted.id) expect(to).toEqual(from)
        else expect(to.nextPlan).toBe(null)
      }),
    )
  })

  it('of mind changes nothing: cancel, then reactivate, is as if nobody had done either', () => {
    always(
      fc.property(steps, (all) => {
        const before = live(all)
        const from = currentSubscription(before.books)
        if (!from || !runs(from) || from.cancelAtPeriodEnd) return
        const after = live([...all, { does: 'cancel' }, { does: 'reactivate' }])
        expect(booked(after.books)).toEqual(booked(before.books))
        expect(computeAccess(told(after.messages))).toEqual(computeAccess(told(before.messages)))
      }),
    )
  })

  it('that is a wish is refused or left to the provider, and never decided here', () => {
    always(
      fc.property(
        steps,
        fc.constantFrom('CancelSubscription' as const, 'ReactivateSubscription' as const),
        (all, type) => {
          const state = told(live(all).messages)
          const decided = billingDecider.decide({ type }, state)
          expect(isRejection(decided) || decided.length === 0).toBe(true)
        },
      ),
    )
  })
})

describe('money', () => {
  it('is whole cents, and never more than the dearest plan costs in a month', () => {
    always(
      fc.property(steps, (all) => {
        for (const { invoice } of Object.values(live(all).books.invoices)) {
          expect(Number.isInteger(invoice.amount.cents)).toBe(true)
          expect(invoice.amount.cents).toBeGreaterThanOrEqual(0)
          expect(invoice.amount.cents).toBeLessThanOrEqual(249_00)
        }
      }),
    )
  })
})

describe('the record', () => {
  it('of whatever arrived leads to the same state when it is read again', () => {
    always(
      fc.property(badlyTold, ({ arrived }) => {
        const history: BillingEvent[] = []
        for (const snapshot of arrived) {
          const decided = billingDecider.decide(
            { type: 'RecordProviderUpdate', practiceId, snapshot },
            fold(billingDecider, history),
          )
          if (!isRejection(decided)) history.push(...decided)
        }
        const read = JSON.parse(JSON.stringify(history)) as BillingEvent[]
        expect(fold(billingDecider, read)).toEqual(told(arrived))
      }),
    )
  })
})
