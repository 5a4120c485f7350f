import { describe, expect, it } from 'vitest'
import { plans } from '#contracts/values/plans.ts'
import { formatPlanPrice, formatCents } from '#web/entities/billing/prices.ts'

describe('plan prices', () => {
  it('are monthly, and ten times as much per year', () => {
    expect(plans.map(({ price }) => formatPlanPrice(price, 'monthly'))).toEqual([
      { amount: '$49', per: 'per month' },
      { amount: '$129', per: 'per month' },
      { amount: '$249', per: 'per month' },
    ])
    expect(plans.map(({ price }) => formatPlanPrice(price, 'yearly'))).toEqual([
      { amount: '$490', per: 'per year' },
      { amount: '$1,290', per: 'per year' },
      { amount: '$2,490', per: 'per year' },
    ])
  })

  it('have cents on an invoice', () => {
    expect([12_900, 124_905, 0, -12_900].map(formatCents)).toEqual(['$129.00', '$1,249.05', '$0.00', '-$129.00'])
  })
})
