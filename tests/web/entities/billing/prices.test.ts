import { expect, it } from 'vitest'
import { formatCents } from '#web/entities/billing/prices.ts'

it('formats amounts with cents, as on an invoice', () => {
  expect([12_900, 124_905, 0, -12_900].map(formatCents)).toEqual(['$129.00', '$1,249.05', '$0.00', '-$129.00'])
})
