import { recordProjection } from '#modules/records/public.ts'
import { referralEvents } from './events.ts'

/** The referrals of all practices, one row each. Lists search the specialty. */
export const referralsProjection = recordProjection(referralEvents, {
  name: 'referrals',
  version: 1,
  clear: ['specialtyType'],
})
