import { recordReader } from '#modules/records/requests/public.ts'
import { administrationEvents } from './events.ts'
import { administrationsProjection } from './projection.ts'

/** The queries of administrations. */
export const administrationReader = recordReader(administrationEvents, administrationsProjection, ['lotNumber'])
