import { recordProjection } from '#modules/records/public.ts'
import { callEvents } from './events.ts'

/** The calls of all practices, one row each. Lists search the phone number. */
export const callsProjection = recordProjection(callEvents, {
  name: 'call_logs',
  version: 1,
  clear: ['callerPhone', 'followUpDueOn'],
  indexes: [`(practice_id, follow_up_due_on) where follow_up_required and status = 'open'`],
})
