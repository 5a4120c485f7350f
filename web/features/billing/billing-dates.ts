import { addDays, format } from 'date-fns'

/** The day on which the first payment is due where a trial of so many days begins now: "Dec 21, 2026" (spec: MMM dd, yyyy). */
export const showBillingDate = (daysFromNow: number, now = new Date()): string =>
  format(addDays(now, daysFromNow), 'MMM dd, yyyy')
