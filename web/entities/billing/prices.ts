/** For how long one price is paid; yearly is shown on the price list, bills are monthly. */
export type PricePeriod = 'monthly' | 'yearly'

const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 0 })
const exact = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

/** What a plan costs, from whole dollars a month: a year is ten months (spec page 1, section 9). */
export const formatPlanPrice = (monthly: number, period: PricePeriod): { amount: string; per: string } =>
  period === 'yearly'
    ? { amount: dollars.format(monthly * 10), per: 'per year' }
    : { amount: dollars.format(monthly), per: 'per month' }

/** An amount on a bill, from cents: "$129.00". */
export const formatCents = (cents: number): string => exact.format(cents / 100)
