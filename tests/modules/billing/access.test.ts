import { describe, expect, it } from 'vitest'
import { fold } from '#eventstore/decider.ts'
import { computeAccess } from '#modules/billing/access.ts'
import { billingDecider } from '#modules/billing/decider.ts'
import type { BillingEvent, Invoice, Subscription } from '#modules/billing/events.ts'
import { practiceId } from './simulated-subscription.ts'

const month = (number: number) => `2026-0${number}-01T00:00:00.000Z`
let version = 0
const observed = () => ({ version: ++version, at: month(1) })

const owing = (from: number): BillingEvent => {
  const subscription: Subscription = {
    subscriptionId: 'sub_1',
    checkoutId: null,
    status: 'past_due',
    plan: 'starter',
    nextPlan: null,
    cancelAtPeriodEnd: false,
    createdAt: month(1),
    currentPeriodStart: month(from),
    currentPeriodEnd: month(from + 1),
    trialEnd: null,
  }
  return { type: 'SubscriptionPastDue', data: { practiceId, observed: observed(), subscription } }
}

const bill = (status: Invoice['status'], from: number): BillingEvent => {
  const invoice: Invoice = {
    invoiceId: `in_${from}`,
    subscriptionId: 'sub_1',
    status,
    plan: 'starter',
    amount: { cents: 49_00, currency: 'USD' },
    periodStart: month(from),
    periodEnd: month(from + 1),
  }
  const type = { paid: 'PaymentSucceeded', failed: 'PaymentFailed', void: 'InvoiceVoided' } as const
  return { type: type[status], data: { practiceId, observed: observed(), invoice } }
}

const until = (...history: BillingEvent[]) => computeAccess(fold(billingDecider, history))?.until

describe('who owes more than one month', () => {
  it('has fourteen days from the first of them, however often the next one is billed', () => {
    const first = [bill('paid', 1), owing(2), bill('failed', 2)]
    expect(until(...first)).toBe('2026-02-15T00:00:00.000Z')
    expect(until(...first, owing(3), bill('failed', 3))).toBe('2026-02-15T00:00:00.000Z')
    expect(until(...first, owing(4))).toBe('2026-02-15T00:00:00.000Z')
  })

  it('has fourteen days anew once something later was paid, or what was owed was forgiven', () => {
    const before = [bill('paid', 1), owing(2), bill('failed', 2)]
    expect(until(...before, bill('paid', 3), owing(4), bill('failed', 4))).toBe('2026-04-15T00:00:00.000Z')
    expect(until(...before, bill('void', 2), owing(3), bill('failed', 3))).toBe('2026-03-15T00:00:00.000Z')
  })
})
