import { expect, it } from 'vitest'
import { toProposals } from '#web/entities/records/record-values.ts'
import { authorizations } from '#web/features/automation/records/authorizations.ts'
import { referrals } from '#web/features/automation/records/referrals.ts'
import { stock } from '#web/features/automation/records/stock.ts'
import { PatientId } from '#contracts/values/ids.ts'
import { uuid } from '#tests/modules/appointments/fixtures.ts'

const grace = { id: PatientId.parse(uuid(3, 1)), firstName: 'Grace', lastName: 'Liu', dateOfBirth: null }
const insuranceInfo = { provider: 'Summit Mutual', policyNumber: null, groupNumber: null, memberName: null }

it.each([
  { kind: 'an authorization', fields: authorizations.fields },
  { kind: 'a referral', fields: referrals.fields },
])('the record of a patient proposes the insurance of $kind', ({ fields }) => {
  expect(toProposals(fields, { ...grace, insuranceInfo })).toEqual({ insuranceProvider: 'Summit Mutual' })
  expect(toProposals(fields, grace)).toEqual({ insuranceProvider: '' })
  expect(toProposals(fields, null)).toEqual({ insuranceProvider: '' })
})

it('proposes nothing for what has no insurance', () => {
  expect(toProposals(stock.fields, { ...grace, insuranceInfo })).toEqual({})
})
