const centsFormat = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

/** Formats cents as dollars: "$1,249.00". */
export const formatCents = (cents: number): string => centsFormat.format(cents / 100)
