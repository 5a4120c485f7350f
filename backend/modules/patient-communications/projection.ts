import { recordProjection } from '#modules/records/public.ts'
import { communicationEvents } from './events.ts'

/** The messages from and to patients of all practices, one row each. */
export const communicationsProjection = recordProjection(communicationEvents, {
  name: 'patient_communications',
  version: 1,
})
