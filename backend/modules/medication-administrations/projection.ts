import { recordProjection } from '#modules/records/public.ts'
import { administrationEvents } from './events.ts'

/** Administrations of all practices, one row each. Lists search the number of a lot. */
export const administrationsProjection = recordProjection(administrationEvents, {
  name: 'medication_administrations',
  version: 1,
  clear: ['lotNumber'],
  indexes: ['(appointment_id) where appointment_id is not null'],
})
