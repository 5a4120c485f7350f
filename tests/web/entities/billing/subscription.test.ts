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
  providers: 2,
  customer: { email: 'sarah@lakeside.example' },
  isEndedSandbox: false,
}
const pastDue = { ...view, status: 'past_due', accessUntil: '2026-12-01T00:00:00.000Z' } as const
const ending = { ...view, cancelAtPeriodEnd: true }

describe('billing dates', () => {
  it('are formatted as in the spec, in UTC as on the invoice', () => {
    expect(formatBillingDate(view.currentPeriodEnd)).toBe('Dec 05, 2026')
  })

  it('round remaining days up', () => {
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

describe('the subscription alert', () => {
  it('says that a subscription with test cards has ended', () => {
    const alert = getSubscriptionAlert({ ...view, status: 'canceled', isEndedSandbox: true })
    expect(alert).toEqual({ kind: 'sandbox-ended' })
    if (alert) {
      expect(describeSubscriptionAlert(alert, true)).toMatchObject({
        title: 'Sandbox subscription, choose a plan.',
        action: 'Choose a plan',
      })
      expect(describeSubscriptionAlert(alert, false).text).toBe('Ask the owner or an administrator.')
    }
  })

  it('is null while there is no problem', () => {
    expect(getSubscriptionAlert(view)).toBeNull()
    expect(describePlanStatus(view)).toBe('All features active')
    expect(describePlanStatus(null)).toBe('All features active')
    expect(describePlanStatus({ ...view, status: 'trialing' })).toBe('Trial, 15 days left')
  })

  it('reports a failed payment before a coming end', () => {
    expect(getSubscriptionAlert(pastDue)).toEqual({ kind: 'past-due', until: pastDue.accessUntil, hasEnded: false })
    expect(getSubscriptionAlert({ ...pastDue, cancelAtPeriodEnd: true })?.kind).toBe('past-due')
    expect(getSubscriptionAlert({ ...pastDue, asOf: '2026-12-01T00:00:00.000Z' })).toMatchObject({ hasEnded: true })
    expect(describePlanStatus(pastDue)).toBe('Payment failed')
    expect(getSubscriptionAlert(ending)).toEqual({ kind: 'ending', until: view.currentPeriodEnd })
    expect(describePlanStatus(ending)).toBe('Ends Dec 05, 2026')
    expect(getSubscriptionAlert({ ...ending, status: 'canceled' })).toBeNull()
  })

  it('tells managers what to do, and other users whom to ask', () => {
    const alert = { kind: 'past-due', until: '2026-12-01T00:00:00.000Z', hasEnded: false } as const
    expect(describeSubscriptionAlert(alert, true).text).toBe(
      'You have access until Dec 01, 2026. Update the card to keep access.',
    )
    expect(describeSubscriptionAlert(alert, false).text).toContain(
      'Ask the owner or an administrator to update the card.',
    )
    expect(describeSubscriptionAlert({ ...alert, hasEnded: true }, true).text).toContain('has ended')
    expect(describeSubscriptionAlert({ kind: 'ending', until: alert.until }, true).title).toBe(
      'Your subscription ends on Dec 01, 2026.',
    )
  })
})

describe('the date beside the plan', () => {
  it('is the next payment, or the end of access', () => {
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
