import { defineExpiryJob, type Expiry } from '#modules/records/requests/public.ts'
import { authorizationDecider } from './decider.ts'
import { type AuthorizationDefinition, authorizationEvents } from './events.ts'
import { authorizationsProjection } from './projection.ts'

export const authorizationExpiry: Expiry<AuthorizationDefinition> = {
  name: 'expire-prior-authorizations',
  events: authorizationEvents,
  decider: authorizationDecider,
  projection: authorizationsProjection,
  dateField: 'expiresAt',
  event: 'PriorAuthorizationExpired',
}

/** Expires prior authorizations on the day after their last day. */
export const expireAuthorizations = defineExpiryJob(authorizationExpiry)
