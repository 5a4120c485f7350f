import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseFormsSearch } from '#web/features/forms/list/forms-search.ts'

describe('the search parameters of the list', () => {
  it('are empty by default', () => {
    expect(parseFormsSearch({})).toEqual({})
  })

  it('contain the filters and the page', () => {
    const search = { type: 'intake', status: 'pending', search: 'hopper', page: 3, cursor: 'abc' }
    expect(parseFormsSearch({ ...search, more: 1 })).toEqual(search)
    const patient = '018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0001'
    expect(parseFormsSearch({ new: true, patient })).toEqual({ new: true, patient })
    expect(parseFormsSearch({ search: 6_175_550_123, new: 'true' })).toEqual({ search: '6175550123', new: true })
  })

  it.each([
    [{ type: 'all' }],
    [{ status: 'lost' }],
    [{ search: '  ' }],
    [{ page: 2 }],
    [{ page: 1, cursor: 'abc' }],
    [{ page: 1.5, cursor: 'abc' }],
    [{ cursor: 'abc' }],
    [{ page: 2, cursor: 'x'.repeat(501) }],
    [{ new: 'no' }],
    [{ patient: 'Hopper' }],
  ])('drop what is invalid: %j', (raw) => {
    expect(parseFormsSearch(raw)).toEqual({})
  })

  it('are stable', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.anything()), (raw) => {
        const search = parseFormsSearch(raw)
        expect(parseFormsSearch(search)).toEqual(search)
      }),
    )
  })
})
