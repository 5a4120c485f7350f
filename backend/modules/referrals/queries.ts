import { recordReader } from '#modules/records/requests/public.ts'
import { referralEvents } from './events.ts'
import { referralsProjection } from './projection.ts'

/** The queries of referrals. */
export const referralReader = recordReader(referralEvents, referralsProjection, ['specialtyType'])
