import { recordProjection } from '#modules/records/public.ts'
import { authorizationEvents } from './events.ts'

/** The prior authorizations of all practices, one row each. Lists search the insurer, and the job that ends them reads the date. */
export const authorizationsProjection = recordProjection(authorizationEvents, {
  name: 'prior_authorizations',
  version: 1,
  clear: ['insuranceProvider', 'expiresAt'],
  indexes: [`(expires_at) where status in ('approved')`],
})
