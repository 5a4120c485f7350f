/** For how long one price is paid; yearly is shown on the price list, bills are monthly. */
export type PricePeriod = 'monthly' | 'yearly'

const wholeDollarFormat = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  maximumFractionDigits: 0,
})
const centsFormat = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

/** What a plan costs, from whole dollars a month: a year is ten months (spec page 1, section 9). */
export const formatPlanPrice = (monthly: number, period: PricePeriod): { amount: string; per: string } =>
  period === 'yearly'
    ? { amount: wholeDollarFormat.format(monthly * 10), per: 'per year' }
    : { amount: wholeDollarFormat.format(monthly), per: 'per month' }

/** An amount on a bill, from cents: "$129.00". */
export const formatCents = (cents: number): string => centsFormat.format(cents / 100)
