import type { Module } from '#modules/module.ts'
import { InsuranceEvent } from './events.ts'
import { expireVerifications } from './jobs.ts'
import { verificationsProjection } from './projection.ts'
import { insuranceRoutes } from './routes.ts'

/** Verifications of patients' insurance. */
export const insurance: Module = {
  name: 'insurance',
  events: [InsuranceEvent],
  projections: [verificationsProjection],
  jobs: [expireVerifications],
  liveUpdates: [{ kinds: ['insurance'], events: [InsuranceEvent] }],
  routes: insuranceRoutes,
}
