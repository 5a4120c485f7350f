import { recordProjection } from '#modules/records/public.ts'
import { documentEvents } from './events.ts'

/** The clinical documents of all practices, one row each. */
export const documentsProjection = recordProjection(documentEvents, {
  name: 'clinical_documents',
  version: 2,
  indexes: ['(addendum_to) where addendum_to is not null', '(appointment_id) where appointment_id is not null'],
})
