/** Billing period of a price. Yearly prices are only shown on the price list; invoices are monthly. */
export type PricePeriod = 'monthly' | 'yearly'

const wholeDollarFormat = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  maximumFractionDigits: 0,
})
const centsFormat = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

/** Formats the price of a plan from whole dollars per month; a year costs ten months (spec page 1, section 9). */
export const formatPlanPrice = (monthly: number, period: PricePeriod): { amount: string; per: string } =>
  period === 'yearly'
    ? { amount: wholeDollarFormat.format(monthly * 10), per: 'per year' }
    : { amount: wholeDollarFormat.format(monthly), per: 'per month' }

/** Formats cents as dollars: "$1,249.00". */
export const formatCents = (cents: number): string => centsFormat.format(cents / 100)
