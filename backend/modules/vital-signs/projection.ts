import { recordProjection } from '#modules/records/public.ts'
import { vitalSignsEvents } from './events.ts'

/** The vital signs of all patients, one row for each measurement. */
export const vitalSignsProjection = recordProjection(vitalSignsEvents, {
  name: 'vital_signs',
  version: 1,
  indexes: ['(appointment_id) where appointment_id is not null'],
})
