import { expect, it } from 'vitest'
import { plans } from '#contracts/values/plans.ts'
import { formatPlanPrice } from '#web/site/plan-prices.ts'

it('formats prices by the month, and ten times as much by the year', () => {
  expect(plans.map(({ price }) => formatPlanPrice(price))).toEqual([
    { monthly: '$49', yearly: '$490' },
    { monthly: '$129', yearly: '$1,290' },
    { monthly: '$249', yearly: '$2,490' },
  ])
})
