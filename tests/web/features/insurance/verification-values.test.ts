import { describe, expect, it } from 'vitest'
import { NewVerification, VerificationChange } from '#contracts/insurance.ts'
import {
  blankValues,
  formatField,
  toNewVerification,
  toPolicyValues,
  toVerificationChange,
  toVerificationValues,
} from '#web/features/insurance/verification-values.ts'
import { proposeValues } from '#web/forms/propose-values.ts'
import { verification } from './fixture.ts'

const values = toVerificationValues(verification)

describe('the form of a verification', () => {
  it('sends what the contract accepts', () => {
    expect(NewVerification.safeParse(toNewVerification(values)).success).toBe(true)
    const filled = { ...blankValues, patientId: verification.patientId, insuranceProvider: 'A', policyNumber: '1' }
    expect(NewVerification.parse(toNewVerification({ ...filled, verificationStatus: 'rejected' }))).toMatchObject({
      verificationStatus: 'denied',
      groupNumber: null,
      memberDateOfBirth: null,
      expiryDate: null,
    })
  })

  it('sends the fields that differ, an empty date as none', () => {
    expect(toVerificationChange(values, values)).toEqual({})
    const change = toVerificationChange(values, { ...values, expiryDate: '', groupNumber: '', policyNumber: 'X-1' })
    expect(change).toEqual({ policyNumber: 'X-1', groupNumber: '', expiryDate: null })
    expect(VerificationChange.parse(change)).toEqual({ policyNumber: 'X-1', groupNumber: null, expiryDate: null })
  })

  it('refuses an incompletely typed date', () => {
    const change = toVerificationChange(values, { ...values, expiryDate: 'unfinished' })
    expect(VerificationChange.safeParse(change).error?.issues[0]?.path).toEqual(['expiryDate'])
  })

  it('shows the changes of others as the screen does', () => {
    expect(formatField(verification, 'expiryDate')).toBe('Nov 30, 2026')
    expect(formatField(verification, 'relationshipToPatient')).toBe('Self')
    expect(formatField(verification, 'policyNumber')).toBe('SM-7741-0093')
    expect(formatField(verification, 'memberDateOfBirth')).toBe('')
  })
})

describe('the policy in the record of a patient', () => {
  const summit = toPolicyValues({
    provider: 'Summit Mutual',
    policyNumber: 'SM-7741-0093',
    groupNumber: null,
    memberName: 'Grace Liu',
  })
  const none = toPolicyValues(null)

  it('is proposed where nothing was typed', () => {
    expect(summit).toEqual({
      insuranceProvider: 'Summit Mutual',
      policyNumber: 'SM-7741-0093',
      groupNumber: '',
      memberName: 'Grace Liu',
    })
    expect(proposeValues(none, none, summit)).toEqual([
      ['insuranceProvider', 'Summit Mutual'],
      ['policyNumber', 'SM-7741-0093'],
      ['memberName', 'Grace Liu'],
    ])
    const typed = { ...none, policyNumber: 'HH-1' }
    expect(proposeValues(typed, none, summit).map(([field]) => field)).toEqual(['insuranceProvider', 'memberName'])
  })

  it('leaves with the patient, but for what was typed', () => {
    const corrected = { ...summit, policyNumber: 'SM-7741-0094' }
    expect(proposeValues(corrected, summit, none)).toEqual([
      ['insuranceProvider', ''],
      ['memberName', ''],
    ])
    expect(proposeValues(summit, summit, summit)).toEqual([])
    expect(toPolicyValues(undefined)).toEqual(none)
  })
})
