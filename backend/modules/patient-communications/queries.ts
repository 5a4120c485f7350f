import { recordReader } from '#modules/records/requests/public.ts'
import { communicationEvents } from './events.ts'
import { communicationsProjection } from './projection.ts'

/** The queries of messages. */
export const communicationReader = recordReader(communicationEvents, communicationsProjection, [])
