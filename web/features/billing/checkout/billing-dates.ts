import { formatBillingDate } from '#web/entities/billing/subscription.ts'

const msPerDay = 86_400_000

/**
 * The day on which the first payment is due where a trial of so many days begins now, "Dec 21, 2026": in UTC like every day
 * of billing, so that an evening in New York reads here what the invoice says.
 */
export const formatBillingDateIn = (daysFromNow: number, now = new Date()): string =>
  formatBillingDate(new Date(now.getTime() + daysFromNow * msPerDay).toISOString())
