import { expect, it } from 'vitest'
import { comparePoliciesWithRecords } from '#modules/insurance/recorded-policies/process-manager.ts'
import { getJobRequests } from '#process-managers/process-manager.ts'
import { recordedEvent } from '#tests/support/events.ts'
import { patientId, practiceId } from '#tests/modules/patients/patient-fixtures.ts'
import { verificationId } from '../fixtures.ts'

const request = (type: string, data: object = {}, sample = false) =>
  getJobRequests(
    comparePoliciesWithRecords,
    recordedEvent({ type, data: { patientId, ...data } }, { metadata: { sample, practiceId } }),
  )

it('compares all verifications of a patient whose insurance has changed', () => {
  expect(request('PatientInsuranceChanged')).toMatchObject([
    { job: 'compare-policies', data: { patientId, practiceId, verificationId: null } },
  ])
})

it('compares a new verification, and one whose policy has changed', () => {
  const one = [{ job: 'compare-policies', data: { patientId, practiceId, verificationId } }]
  expect(request('InsuranceVerificationRequested', { verificationId })).toMatchObject(one)
  for (const to of [{ policyNumber: 'SM-2' }, { insuranceProvider: 'Beacon Health' }])
    expect(request('InsuranceVerificationChanged', { verificationId, to })).toMatchObject(one)
  expect(request('InsuranceVerificationChanged', { verificationId, to: { notes: 'Called' } })).toEqual([])
})

it('compares nothing of the sample practice', () => {
  expect(request('PatientInsuranceChanged', {}, true)).toEqual([])
})
