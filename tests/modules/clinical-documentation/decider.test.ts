import { describe, expect, it } from 'vitest'
import { change, decideAfter, move } from '#tests/modules/records/nouns/decide-after.ts'

describe('a clinical document', () => {
  it('changes as a draft only', () => {
    expect(decideAfter('document', 0, change({ icdCodes: [] }))).toEqual(['ClinicalDocumentChanged'])
    expect(decideAfter('document', 1, change({ icdCodes: [] }))).toBe('in-review')
    expect(decideAfter('document', 4, change({ icdCodes: [] }))).toBe('already-approved')
    expect(decideAfter('document', 4, move('ClinicalDocumentReturned'))).toBe('wrong-status')
  })
  it('is not sent to a review while it is empty', () => {
    const submit = move('ClinicalDocumentSubmitted')
    const empty = { subjective: '', objective: '', assessment: '', plan: '' }
    expect(decideAfter('document', 0, submit, { over: { soapNote: empty } })).toBe('empty')
    expect(decideAfter('document', 0, submit, { over: { soapNote: { ...empty, plan: 'Rest' } } })).toEqual([
      'ClinicalDocumentSubmitted',
    ])
  })
  it('is not approved before a review', () => {
    const approve = move('ClinicalDocumentApproved', { approvedBy: 'x', approvedAt: 'y' })
    expect(decideAfter('document', 0, approve)).toBe('wrong-status')
  })
})
