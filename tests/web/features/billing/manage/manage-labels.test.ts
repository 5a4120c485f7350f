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
  providers: 2,
  customer: { email: 'sarah@lakeside.example' },
  isEndedSandbox: false,
}

describe('a change of plan', () => {
  it('is an upgrade or a downgrade by price', () => {
    expect(getPlanAction('starter', view)).toBe('downgrade')
    expect(getPlanAction('professional', view)).toBe('current')
    expect(getPlanAction('enterprise', view)).toBe('upgrade')
  })

  it('can be revoked while it is planned', () => {
    const planned = { ...view, nextPlan: 'starter' } as const
    expect(getPlanAction('professional', planned)).toBe('keep')
    expect(getPlanAction('starter', planned)).toBe('next')
    expect(getChangeConfirmation('professional', planned)).toMatchObject({ title: 'Keep Professional?' })
    expect(describePlanChange('professional', planned)).toEqual([
      'The change to Starter on Dec 20, 2026 is canceled. Professional continues unchanged.',
    ])
  })

  it('describes its effects and its date', () => {
    expect(describePlanChange('starter', view)).toEqual([
      'You keep Professional until Dec 20, 2026. After that you have Starter, for $49.00 per month.',
      'Features that only Professional includes will no longer be available. Your data is kept.',
    ])
    expect(describePlanChange('enterprise', view).join(' ')).toContain('is charged to your card today')
    expect(describePlanChange('enterprise', { ...view, status: 'trialing' }).join(' ')).toContain(
      'Nothing is charged before the trial ends on Dec 20, 2026.',
    )
  })
})

describe('a cancellation', () => {
  it('takes effect at the end of the paid period', () => {
    expect(describeCancellation(view)).toEqual([
      'You keep Professional until Dec 20, 2026. Nothing is charged after that.',
      'Your data is kept, and you can reactivate until then.',
    ])
  })

  it('takes into account that an open invoice ends access earlier', () => {
    const owing = { ...view, status: 'past_due', accessUntil: '2026-12-04T12:00:00.000Z' } as const
    expect(describeCancellation(owing)[0]).toBe('The last payment failed, so you keep Professional until Dec 04, 2026.')
    expect(describeCancellation({ ...owing, asOf: '2026-12-05T12:00:00.000Z' })[0]).toBe(
      'Access to Professional has ended, because the last payment failed.',
    )
    expect(describeCancellation(owing)[1]).toContain(
      'The subscription ends on Dec 20, 2026, and you are not charged again.',
    )
  })
})

it('formats the date of the first payment in UTC like the invoice, whatever the local date', () => {
  expect(formatBillingDateIn(30, new Date('2026-11-21T20:30:00-05:00'))).toBe('Dec 22, 2026')
  expect(formatBillingDateIn(30, new Date('2026-10-20T12:00:00Z'))).toBe('Nov 19, 2026')
})

describe('the patients of a plan', () => {
  it('count against its limit', () => {
    expect(getPlanUsage('professional', 1_248)).toEqual({ text: '1,248 of 2,000', share: 0.624 })
    expect(getPlanUsage('starter', 600).share).toBe(1)
    expect(getPlanUsage('enterprise', 12_480)).toEqual({ text: '12,480, no limit', share: null })
  })

  it('may exceed a smaller plan, with the number to remove first', () => {
    expect(describePlanTooSmall('starter', { patients: 1_248, providers: 0 })).toEqual({
      subject: 'patients',
      text: 'Starter holds 500 patients and you have 1,248. Remove 748 first.',
    })
    expect(describePlanTooSmall('starter', { patients: 500, providers: 4 })).toEqual({
      subject: 'providers',
      text: 'Starter holds 3 providers, and 4 are active or invited. Deactivate 1 first.',
    })
    expect(describePlanTooSmall('starter', { patients: 500, providers: 3 })).toBeNull()
    expect(describePlanTooSmall('enterprise', { patients: 1_000_000, providers: 100 })).toBeNull()
  })
})

it('formats a stored card', () => {
  const card = { brand: 'amex', lastFour: '0005', expMonth: 8, expYear: 2029 } as const
  expect(formatCard(card)).toBe('American Express ending in 0005')
  expect(formatCardExpiry(card)).toBe('08 / 29')
})
