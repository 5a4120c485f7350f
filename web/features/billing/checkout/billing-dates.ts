import { formatBillingDate } from '#web/entities/billing/subscription.ts'

const msPerDay = 86_400_000

/**
 * Formats the date of the first payment when a trial starts now, "Dec 21, 2026". In UTC like all billing dates, so that it
 * matches the invoice even on an evening in New York.
 */
export const formatBillingDateIn = (daysFromNow: number, now = new Date()): string =>
  formatBillingDate(new Date(now.getTime() + daysFromNow * msPerDay).toISOString())
