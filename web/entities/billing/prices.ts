import { formatNumber } from '#web/ui/format.ts'

/** Formats cents as dollars: "$1,249.00". */
export function formatCents(cents: number): string {
  const amount = Math.round(Math.abs(cents))
  const sign = cents < 0 ? '-' : ''
  return `${sign}$${formatNumber(Math.floor(amount / 100))}.${String(amount % 100).padStart(2, '0')}`
}
