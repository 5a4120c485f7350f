const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 0 })

/** Formats the price of a plan from whole dollars per month; a year costs ten months (spec page 1, section 9). */
export const formatPlanPrice = (monthly: number): { monthly: string; yearly: string } => ({
  monthly: dollars.format(monthly),
  yearly: dollars.format(monthly * 10),
})
