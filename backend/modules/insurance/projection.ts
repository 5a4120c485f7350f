import { recordProjection } from '#modules/records/public.ts'
import { verificationEvents } from './events.ts'

/** The verifications of all practices, one row each. Lists search the provider, and the job that ends them reads the date. */
export const verificationsProjection = recordProjection(verificationEvents, {
  name: 'insurance_verifications',
  version: 1,
  clear: ['insuranceProvider', 'expiryDate'],
  indexes: [`(expiry_date) where status in ('pending', 'verified')`],
})
