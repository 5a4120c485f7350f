import { describe, expect, it } from 'vitest'
import { fold } from '#eventstore/decider.ts'
import { computeAccess } from '#modules/billing/access.ts'
import { billingDecider } from '#modules/billing/decider.ts'
import type { BillingEvent, Invoice, Subscription } from '#modules/billing/events.ts'
import { practiceId } from './simulated-subscription.ts'

const monthStart = (number: number) => `2026-0${number}-01T00:00:00.000Z`
let version = 0
const observed = () => ({ version: ++version, at: monthStart(1) })

const pastDue = (from: number): BillingEvent => {
  const subscription: Subscription = {
    subscriptionId: 'sub_1',
    checkoutId: null,
    status: 'past_due',
    plan: 'starter',
    nextPlan: null,
    cancelAtPeriodEnd: false,
    createdAt: monthStart(1),
    currentPeriodStart: monthStart(from),
    currentPeriodEnd: monthStart(from + 1),
    trialEnd: null,
  }
  return { type: 'SubscriptionPastDue', data: { practiceId, observed: observed(), subscription } }
}

const recordInvoice = (status: Invoice['status'], from: number): BillingEvent => {
  const invoice: Invoice = {
    invoiceId: `in_${from}`,
    subscriptionId: 'sub_1',
    status,
    plan: 'starter',
    amount: { cents: 49_00, currency: 'USD' },
    periodStart: monthStart(from),
    periodEnd: monthStart(from + 1),
  }
  const type = { paid: 'PaymentSucceeded', failed: 'PaymentFailed', void: 'InvoiceVoided' } as const
  return { type: type[status], data: { practiceId, observed: observed(), invoice } }
}

const until = (...history: BillingEvent[]) => computeAccess(fold(billingDecider, history))?.until

describe('a subscription with more than one unpaid monthStart', () => {
  it('has a grace period of fourteen days from the first of them, however often the next one is billed', () => {
    const first = [recordInvoice('paid', 1), pastDue(2), recordInvoice('failed', 2)]
    expect(until(...first)).toBe('2026-02-15T00:00:00.000Z')
    expect(until(...first, pastDue(3), recordInvoice('failed', 3))).toBe('2026-02-15T00:00:00.000Z')
    expect(until(...first, pastDue(4))).toBe('2026-02-15T00:00:00.000Z')
  })

  it('gets a new grace period once a later invoice is paid or the unpaid one is voided', () => {
    const before = [recordInvoice('paid', 1), pastDue(2), recordInvoice('failed', 2)]
    expect(until(...before, recordInvoice('paid', 3), pastDue(4), recordInvoice('failed', 4))).toBe(
      '2026-04-15T00:00:00.000Z',
    )
    expect(until(...before, recordInvoice('void', 2), pastDue(3), recordInvoice('failed', 3))).toBe(
      '2026-03-15T00:00:00.000Z',
    )
  })
})
