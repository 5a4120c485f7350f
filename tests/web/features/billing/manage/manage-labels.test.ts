import { describe, expect, it } from 'vitest'
import type { SubscriptionView } from '#contracts/billing.ts'
import { formatBillingDateIn } from '#web/features/billing/checkout/billing-dates.ts'
import {
  describeCancellation,
  getChangeConfirmation,
  describePlanChange,
  getPlanAction,
  describePlanTooSmall,
  getPlanUsage,
} from '#web/features/billing/manage/manage-labels.ts'
import { formatCard, formatCardExpiry } from '#web/features/billing/sandbox-portal/portal-labels.ts'

const view: SubscriptionView = {
  plan: { id: 'professional', name: 'Professional', amount: 12_900, interval: 'month' },
  nextPlan: null,
  status: 'active',
  cancelAtPeriodEnd: false,
  currentPeriodEnd: '2026-12-20T12:00:00.000Z',
  accessUntil: null,
  asOf: '2026-11-21T12:00:00.000Z',
  patients: 1_248,
  customer: { email: 'sarah@lakeside.example' },
}

describe('a change of plan', () => {
  it('goes up and down with the price', () => {
    expect(getPlanAction('starter', view)).toBe('downgrade')
    expect(getPlanAction('professional', view)).toBe('yours')
    expect(getPlanAction('enterprise', view)).toBe('upgrade')
  })

  it('can be taken back while it is planned', () => {
    const planned = { ...view, nextPlan: 'starter' } as const
    expect(getPlanAction('professional', planned)).toBe('keep')
    expect(getPlanAction('starter', planned)).toBe('next')
    expect(getChangeConfirmation('professional', planned)).toMatchObject({ title: 'Keep Professional?' })
    expect(describePlanChange('professional', planned)).toEqual([
      'The change to Starter on Dec 20, 2026 is taken back. Professional goes on as it is.',
    ])
  })

  it('says what it means and when', () => {
    expect(describePlanChange('starter', view)).toEqual([
      'Professional stays as it is until Dec 20, 2026. From then on you have Starter, for $49.00 per month.',
      'What only Professional offers is closed then. Your data stays.',
    ])
    expect(describePlanChange('enterprise', view).join(' ')).toContain('is charged to your card today')
    expect(describePlanChange('enterprise', { ...view, status: 'trialing' }).join(' ')).toContain(
      'Nothing is charged before the trial ends on Dec 20, 2026.',
    )
  })
})

describe('the end of a subscription', () => {
  it('comes with the period that is paid for', () => {
    expect(describeCancellation(view)).toEqual([
      'You keep Professional until Dec 20, 2026. Nothing is charged after that.',
      'Your data stays, and you can take this back until then.',
    ])
  })

  it('promises no more access than there is while an invoice is open', () => {
    const owing = { ...view, status: 'past_due', accessUntil: '2026-12-04T12:00:00.000Z' } as const
    expect(describeCancellation(owing)[0]).toBe('The last payment failed, so you keep Professional until Dec 04, 2026.')
    expect(describeCancellation({ ...owing, asOf: '2026-12-05T12:00:00.000Z' })[0]).toBe(
      'Access to Professional has ended, because the last payment failed.',
    )
    expect(describeCancellation(owing)[1]).toContain(
      'The subscription ends on Dec 20, 2026, and no further month is billed.',
    )
  })
})

it('names the day of the first payment as the invoice will, also on an evening in the west', () => {
  expect(formatBillingDateIn(30, new Date('2026-11-21T20:30:00-05:00'))).toBe('Dec 22, 2026')
  expect(formatBillingDateIn(30, new Date('2026-10-20T12:00:00Z'))).toBe('Nov 19, 2026')
})

describe('the patients of a plan', () => {
  it('are counted against its limit', () => {
    expect(getPlanUsage('professional', 1_248)).toEqual({ words: '1,248 of 2,000', full: 0.624 })
    expect(getPlanUsage('starter', 600).full).toBe(1)
    expect(getPlanUsage('enterprise', 12_480)).toEqual({ words: '12,480, no limit', full: null })
  })

  it('may be too many for a smaller one, which is said with the number to remove', () => {
    expect(describePlanTooSmall('starter', 1_248)).toBe(
      'Starter holds 500 patients and you have 1,248. Remove 748 first.',
    )
    expect(describePlanTooSmall('starter', 500)).toBeNull()
    expect(describePlanTooSmall('enterprise', 1_000_000)).toBeNull()
  })
})

it('shows of a card what people recognise it by', () => {
  const card = { brand: 'amex', lastFour: '0005', expMonth: 8, expYear: 2029 } as const
  expect(formatCard(card)).toBe('American Express ending in 0005')
  expect(formatCardExpiry(card)).toBe('08 / 29')
})
