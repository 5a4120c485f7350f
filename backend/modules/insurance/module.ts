import type { Module } from '#modules/module.ts'
import { EligibilityEvent } from './eligibility/events.ts'
import { askAboutVerification } from './eligibility/jobs.ts'
import { askAboutEligibility } from './eligibility/process-manager.ts'
import { recheckCoverages } from './eligibility/recheck-job.ts'
import { eligibilityProjection } from './eligibility/projection.ts'
import { insuranceSettings } from './eligibility/settings.ts'
import { InsuranceEvent } from './events.ts'
import { expireVerifications } from './jobs.ts'
import { verificationsProjection } from './projection.ts'
import { PolicyComparisonEvent } from './recorded-policies/events.ts'
import { compareMissing, compareWithRecord } from './recorded-policies/jobs.ts'
import { comparePoliciesWithRecords } from './recorded-policies/process-manager.ts'
import { policyComparisonsProjection } from './recorded-policies/projection.ts'
import { insuranceRoutes } from './routes.ts'

/** Verifications of patients' insurance. */
export const insurance: Module = {
  name: 'insurance',
  settings: insuranceSettings,
  events: [InsuranceEvent, EligibilityEvent, PolicyComparisonEvent],
  projections: [verificationsProjection, eligibilityProjection, policyComparisonsProjection],
  processManagers: [askAboutEligibility, comparePoliciesWithRecords],
  jobs: [expireVerifications, askAboutVerification, recheckCoverages, compareWithRecord, compareMissing],
  liveUpdates: [{ kinds: ['insurance'], events: [InsuranceEvent, EligibilityEvent, PolicyComparisonEvent] }],
  routes: insuranceRoutes,
}
