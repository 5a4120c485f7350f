import { recordReader } from '#modules/records/requests/public.ts'
import { vitalSignsEvents } from './events.ts'
import { vitalSignsProjection } from './projection.ts'

/** The queries of vital signs. */
export const vitalSignsReader = recordReader(vitalSignsEvents, vitalSignsProjection, [])
