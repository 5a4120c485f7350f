import { describe, expect, it } from 'vitest'
import { change, decideAfter, move } from '#tests/modules/records/nouns/decide-after.ts'

describe('a prior authorization', () => {
  const name = 'prior authorization'
  it('keeps the codes that were submitted', () => {
    expect(decideAfter(name, 0, change({ procedureCodes: ['73722'] }))).toEqual(['PriorAuthorizationChanged'])
    expect(decideAfter(name, 1, change({ procedureCodes: ['73722'] }))).toBe('already-submitted')
    expect(decideAfter(name, 1, change({ notes: 'Called', procedureCodes: ['73721'] }))).toEqual([
      'PriorAuthorizationChanged',
    ])
  })
  it('has a number and a last day from its approval on', () => {
    expect(decideAfter(name, 1, change({ authorizationNumber: 'PA-1' }))).toBe('not-approved')
    expect(decideAfter(name, 4, change({ authorizationNumber: 'PA-1' }))).toEqual(['PriorAuthorizationChanged'])
    expect(decideAfter(name, 4, change({ expiresAt: null }))).toBe('not-approved')
    const approve = (expiresAt: string) =>
      move('PriorAuthorizationApproved', { authorizationNumber: 'PA-1', expiresAt, approvedAt: '2026-11-26T10:00:00Z' })
    expect(decideAfter(name, 1, approve('2026-11-25'))).toBe('already-over')
    expect(decideAfter(name, 1, approve('2026-11-26'))).toEqual(['PriorAuthorizationApproved'])
    expect(decideAfter(name, 0, approve('2026-11-26'))).toBe('wrong-status')
  })
  it('expires after its last day, not on it, and not by another date', () => {
    const expire = (expiresAt: string) => move('PriorAuthorizationExpired', { expiresAt })
    expect(decideAfter(name, 4, expire('2099-12-31'), { today: '2099-12-31' })).toBe('still-valid')
    expect(decideAfter(name, 4, expire('2099-12-31'), { today: '2100-01-01' })).toEqual(['PriorAuthorizationExpired'])
    expect(decideAfter(name, 4, expire('2099-12-30'), { today: '2100-01-01' })).toBe('still-valid')
    expect(decideAfter(name, 2, expire('2099-12-31'), { today: '2100-01-01' })).toBe('wrong-status')
  })
})
