import { z } from 'zod'
import type { AppointmentType } from './appointments.ts'

/** ISO 4217. */
export const Currency = z.enum(['USD'])
export type Currency = z.infer<typeof Currency>

/** An amount in whole cents. */
export const Cents = z
  .number({ error: 'Please enter an amount' })
  .int('Whole cents only')
  .min(0, 'Must not be negative')
  .max(100_000_000, 'At most 1,000,000.00')

export const Money = z.object({ cents: Cents, currency: Currency })
export type Money = z.infer<typeof Money>

/** The fee for a completed appointment of each type, until the practice sets its own (product.md 3). */
export const defaultFees: Readonly<Record<AppointmentType, Money>> = {
  consultation: { cents: 150_00, currency: 'USD' },
  'follow-up': { cents: 90_00, currency: 'USD' },
  'check-up': { cents: 120_00, currency: 'USD' },
  emergency: { cents: 300_00, currency: 'USD' },
  procedure: { cents: 450_00, currency: 'USD' },
}
