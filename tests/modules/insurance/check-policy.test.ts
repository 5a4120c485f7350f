import { expect, it } from 'vitest'
import { checkPolicy } from '#modules/insurance/check-policy.ts'
import { policy, today, yesterday } from './fixtures.ts'

const fieldsAt = (over: Partial<typeof policy>) => checkPolicy({ ...policy, ...over }, today).map(({ field }) => field)

it('finds nothing about a complete policy, and never says that it is covered', () => {
  expect(checkPolicy(policy, today)).toEqual([])
})

it.each(['?', 'unknown', '--12', 'A'.repeat(60)])('doubts the number %j', (policyNumber) => {
  expect(fieldsAt({ policyNumber })).toEqual(['policyNumber'])
})

it.each(['SM-7741-0093', '123456789', 'W1234.5678/01', 'ÄB 44 12'])('accepts the number %j', (policyNumber) => {
  expect(fieldsAt({ policyNumber })).toEqual([])
})

it('requires the member of a policy that is not the patient', () => {
  expect(fieldsAt({ relationshipToPatient: 'spouse' })).toEqual(['memberName', 'memberDateOfBirth'])
  const member = { memberName: 'Ada Okafor', memberDateOfBirth: '1980-01-01' }
  expect(fieldsAt({ relationshipToPatient: 'spouse', ...member })).toEqual([])
})

it('compares the dates with today', () => {
  expect(fieldsAt({ eligibilityDate: today })).toEqual([])
  expect(fieldsAt({ eligibilityDate: '2026-11-27', expiryDate: '2026-12-31' })).toEqual(['eligibilityDate'])
  expect(fieldsAt({ expiryDate: yesterday })).toEqual(['expiryDate'])
  expect(fieldsAt({ expiryDate: null })).toEqual(['expiryDate'])
})
