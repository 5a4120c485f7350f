import { describe, expect, it } from 'vitest'
import type { SubscriptionView } from '#contracts/billing.ts'
import {
  getSubscriptionAlert,
  describePlanStatus,
  formatBillingDate,
  formatDaysLeft,
} from '#web/entities/billing/subscription.ts'
import { describeSubscriptionAlert } from '#web/shell/subscription-banner.tsx'
import {
  getSubscriptionBadge,
  getSubscriptionDateLabel,
  getSubscriptionDate,
} from '#web/entities/billing/subscription-labels.ts'

const view: SubscriptionView = {
  plan: { id: 'professional', name: 'Professional', amount: 12_900, interval: 'month' },
  nextPlan: null,
  status: 'active',
  cancelAtPeriodEnd: false,
  currentPeriodEnd: '2026-12-05T23:30:00.000Z',
  accessUntil: null,
  asOf: '2026-11-21T12:00:00.000Z',
  patients: 1_248,
  customer: { email: 'sarah@lakeside.example' },
}
const pastDue = { ...view, status: 'past_due', accessUntil: '2026-12-01T00:00:00.000Z' } as const
const ending = { ...view, cancelAtPeriodEnd: true }

describe('money and days of billing', () => {
  it('are written as the spec writes them, in UTC as on the invoice', () => {
    expect(formatBillingDate(view.currentPeriodEnd)).toBe('Dec 05, 2026')
  })

  it('count the day that has begun', () => {
    expect(formatDaysLeft('2026-11-22T11:00:00Z', view.asOf)).toBe('1 day left')
    expect(formatDaysLeft('2026-12-21T12:00:00Z', view.asOf)).toBe('30 days left')
    expect(formatDaysLeft('2026-11-01T00:00:00Z', view.asOf)).toBe('0 days left')
  })
})

describe('the badge', () => {
  it.each([
    ['active', 'Active'],
    ['past_due', 'Past Due'],
    ['canceled', 'Canceled'],
    ['trialing', 'Trial'],
    ['incomplete', 'incomplete'],
  ] as const)('of %s reads %s', (status, label) => {
    expect(getSubscriptionBadge({ status, cancelAtPeriodEnd: false }).label).toBe(label)
    expect(getSubscriptionBadge({ status, cancelAtPeriodEnd: true }).label).toBe('Canceling')
  })
})

describe('what everybody should know', () => {
  it('is nothing while all is well', () => {
    expect(getSubscriptionAlert(view)).toBeNull()
    expect(describePlanStatus(view)).toBe('All features active')
    expect(describePlanStatus(null)).toBe('All features active')
    expect(describePlanStatus({ ...view, status: 'trialing' })).toBe('Trial, 15 days left')
  })

  it('is that the card failed, before that the subscription ends', () => {
    expect(getSubscriptionAlert(pastDue)).toEqual({ kind: 'past-due', until: pastDue.accessUntil, over: false })
    expect(getSubscriptionAlert({ ...pastDue, cancelAtPeriodEnd: true })?.kind).toBe('past-due')
    expect(getSubscriptionAlert({ ...pastDue, asOf: '2026-12-01T00:00:00.000Z' })).toMatchObject({ over: true })
    expect(describePlanStatus(pastDue)).toBe('Payment failed')
    expect(getSubscriptionAlert(ending)).toEqual({ kind: 'ending', until: view.currentPeriodEnd })
    expect(describePlanStatus(ending)).toBe('Ends Dec 05, 2026')
    expect(getSubscriptionAlert({ ...ending, status: 'canceled' })).toBeNull()
  })

  it('tells those who may what to do, and the others whom to ask', () => {
    const news = { kind: 'past-due', until: '2026-12-01T00:00:00.000Z', over: false } as const
    expect(describeSubscriptionAlert(news, true).text).toBe(
      'You have access until Dec 01, 2026. Change the card to keep it.',
    )
    expect(describeSubscriptionAlert(news, false).text).toContain(
      'Ask the owner or an administrator to change the card.',
    )
    expect(describeSubscriptionAlert({ ...news, over: true }, true).text).toContain('has ended')
    expect(describeSubscriptionAlert({ kind: 'ending', until: news.until }, true).title).toBe(
      'Your subscription ends on Dec 01, 2026.',
    )
  })
})

describe('the date beside the plan', () => {
  it('is when money is due, or when access ends', () => {
    expect([getSubscriptionDateLabel(view), getSubscriptionDate(view)]).toEqual([
      'Next billing date',
      view.currentPeriodEnd,
    ])
    expect([getSubscriptionDateLabel(ending), getSubscriptionDate(ending)]).toEqual([
      'Access until',
      view.currentPeriodEnd,
    ])
    expect([getSubscriptionDateLabel(pastDue), getSubscriptionDate(pastDue)]).toEqual([
      'Access until',
      pastDue.accessUntil,
    ])
    expect(getSubscriptionDateLabel({ ...view, status: 'canceled' })).toBe('Access ended')
  })
})
