import { describe, expect, it } from 'vitest'
import { EligibilityOutcome, type PolicyCheck } from '#contracts/values/eligibility.ts'
import type { VerificationStatus } from '#contracts/values/insurance.ts'
import { describeHistoryEntry, describeInsurer, describeTerm } from '#web/features/insurance/labels.ts'
import { verification } from './fixture.ts'

const now = new Date('2026-11-20T15:12:00.000Z')
const describeOn = (today: string, over: Partial<typeof verification> = {}) =>
  describeTerm({ ...verification, ...over }, today, now)

describe('the term of a coverage', () => {
  it('points out its end from 30 days before', () => {
    expect(describeOn('2026-10-30')).toEqual({ text: 'until Nov 30, 2026', isEnding: false })
    expect(describeOn('2026-10-31')).toEqual({ text: 'ends in 30 days', isEnding: true })
    expect(describeOn('2026-11-29')).toEqual({ text: 'ends in 1 day', isEnding: true })
    expect(describeOn('2026-11-30')).toEqual({ text: 'ends today', isEnding: true })
    expect(describeOn('2026-12-01')).toEqual({ text: 'ended Nov 30, 2026', isEnding: false })
  })

  it('is not pointed out unless a person has verified it', () => {
    expect(describeOn('2026-11-29', { verificationStatus: 'denied' })).toEqual({
      text: 'until Nov 30, 2026',
      isEnding: false,
    })
    const pending = { verificationStatus: 'pending', createdAt: '2026-11-20T15:00:00.000Z' } as const
    expect(describeOn('2026-11-29', pending).text).toBe('requested 12 minutes ago')
    expect(describeOn('2026-11-29', { expiryDate: null }).text).toBe('no expiry date')
  })
})

it('describes the history in the words of the screen', () => {
  const entry = { at: '2026-11-05T15:00:00.000Z', by: null, status: null, changedFields: [] }
  expect(describeHistoryEntry({ ...entry, status: 'pending' }, true)).toBe('Verification requested')
  expect(describeHistoryEntry({ ...entry, status: 'pending' }, false)).toBe('To be verified again')
  expect(describeHistoryEntry({ ...entry, status: 'expired' }, false)).toBe('Expired')
  expect(describeHistoryEntry({ ...entry, changedFields: ['policyNumber', 'notes'] }, false)).toBe(
    'Changed: Policy number, Notes',
  )
})

describe('the word of an insurer', () => {
  const say = (outcome: EligibilityOutcome | null, code: string | null = null, isRetried = false) =>
    describeInsurer({
      check: { by: 'clearinghouse', findings: [] },
      verificationStatus: 'pending',
      eligibility: { outcome, code, isRetried, askedAt: now.toISOString(), answeredAt: outcome && now.toISOString() },
    })

  it('is called "not covered" only where the insurer says so', () => {
    const denied = EligibilityOutcome.options.filter((outcome) => say(outcome).tone === 'error')
    expect(denied).toEqual(['inactive', 'not-covered'])
    const never = (by: PolicyCheck, verificationStatus: VerificationStatus = 'pending') =>
      describeInsurer({ eligibility: null, check: { by, findings: [] }, verificationStatus }).title
    expect(never('clearinghouse')).toBe('The insurer is being asked')
    expect(never('on-request')).toBe('The insurer was not asked')
    expect(never('clearinghouse', 'verified')).toBe('The insurer was not asked')
    expect(say(null).title).toBe('The insurer is being asked')
  })

  it('names what to compare, by the reason', () => {
    expect(say('correct-data', 'AAA 72').text).toBe(
      'Compare the policy number with the card. Everchart asks again after a change (AAA 72).',
    )
    expect(say('correct-data', 'AAA 75').text).toContain('policy number, name and date of birth')
    expect(say('retry-later', 'AAA 42', true).text).toBe('Everchart asks again by itself (AAA 42).')
    expect(say('retry-later', 'http-503').text).toContain('has asked six times (http-503)')
  })
})
