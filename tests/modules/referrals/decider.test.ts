import { describe, expect, it } from 'vitest'
import { change, decideAfter } from '#tests/modules/records/nouns/decide-after.ts'

describe('a referral', () => {
  it('keeps the reason that was sent', () => {
    expect(decideAfter('referral', 0, change({ reasonForReferral: 'Other' }))).toEqual(['ReferralChanged'])
    expect(decideAfter('referral', 1, change({ reasonForReferral: 'Other' }))).toBe('already-sent')
    expect(decideAfter('referral', 1, change({ notes: 'Called' }))).toEqual(['ReferralChanged'])
  })
})
