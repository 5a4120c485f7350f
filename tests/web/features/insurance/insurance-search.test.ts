import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseInsuranceSearch, toFilters } from '#web/features/insurance/insurance-search.ts'

const verification = '018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0091'

describe('the search parameters of the list', () => {
  it('are empty by default', () => {
    expect(parseInsuranceSearch({})).toEqual({})
  })

  it('are kept when they are valid', () => {
    const filters = { status: 'denied', policyInRecord: 'other', search: 'Harbor' }
    const search = { ...filters, page: 2, cursor: 'abc', verification, new: true }
    expect(parseInsuranceSearch(search)).toEqual(search)
    expect(toFilters(parseInsuranceSearch(search))).toEqual(filters)
  })

  it.each([
    { status: 'rejected' },
    { status: 'toString' },
    { policyInRecord: 'toString' },
    { search: ['x'] },
    { page: 2 },
    { page: 1, cursor: 'abc' },
    { page: 2, cursor: 'x'.repeat(501) },
    { verification: '../patients' },
    { new: 'no' },
  ])('are dropped when they are not: %j', (raw) => {
    expect(parseInsuranceSearch(raw)).toEqual({})
  })

  it('are stable', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.anything()), (raw) => {
        const search = parseInsuranceSearch(raw)
        expect(parseInsuranceSearch(search)).toEqual(search)
      }),
    )
  })
})
