import type { InsuranceEvent } from '../events.ts'
import type { PatientEvent } from '#modules/patients/events.ts'
import { defineProcessManager, type JobRequest, toCause } from '#process-managers/process-manager.ts'
import type { Recorded } from '#eventstore/event.ts'

/** The names of the jobs that this process manager requests; see jobs.ts. */
export const jobNames = { compare: 'compare-policies' } as const

type Compared = Recorded<Extract<PatientEvent | InsuranceEvent, { data: { patientId: string } }>>

const compare = (event: Compared, verificationId: string | null): readonly JobRequest[] => {
  const { practiceId, sample } = event.metadata
  if (sample || practiceId === null) return []
  const { patientId } = event.data
  return [{ job: jobNames.compare, data: { patientId, verificationId, practiceId, cause: toCause(event) } }]
}

/** Requests that verifications are compared with the insurance in the record of their patient whenever one of both changes. */
export const comparePoliciesWithRecords = defineProcessManager<PatientEvent | InsuranceEvent>({
  name: 'compare-policies-with-records',
  on: {
    PatientInsuranceChanged: (event) => compare(event, null),
    InsuranceVerificationRequested: (event) => compare(event, event.data.verificationId),
    InsuranceVerificationChanged(event) {
      const { to, verificationId } = event.data
      return 'insuranceProvider' in to || 'policyNumber' in to ? compare(event, verificationId) : []
    },
  },
})
