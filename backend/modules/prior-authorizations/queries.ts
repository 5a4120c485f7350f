import { recordReader } from '#modules/records/requests/public.ts'
import { authorizationEvents } from './events.ts'
import { authorizationsProjection } from './projection.ts'

/** The queries of prior authorizations. */
export const authorizationReader = recordReader(authorizationEvents, authorizationsProjection, ['insuranceProvider'])
