import type { Module } from '#modules/module.ts'
import { EligibilityEvent } from './eligibility/events.ts'
import { askAboutVerification } from './eligibility/jobs.ts'
import { askAboutEligibility } from './eligibility/process-manager.ts'
import { eligibilityProjection } from './eligibility/projection.ts'
import { insuranceSettings } from './eligibility/settings.ts'
import { InsuranceEvent } from './events.ts'
import { expireVerifications } from './jobs.ts'
import { verificationsProjection } from './projection.ts'
import { insuranceRoutes } from './routes.ts'

/** Verifications of patients' insurance. */
export const insurance: Module = {
  name: 'insurance',
  settings: insuranceSettings,
  events: [InsuranceEvent, EligibilityEvent],
  projections: [verificationsProjection, eligibilityProjection],
  processManagers: [askAboutEligibility],
  jobs: [expireVerifications, askAboutVerification],
  liveUpdates: [{ kinds: ['insurance'], events: [InsuranceEvent, EligibilityEvent] }],
  routes: insuranceRoutes,
}
