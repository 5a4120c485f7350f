import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PatientSort } from '#contracts/values/patient-sort.ts'
import { parsePatientsSearch, toPatientSort, toTableSort } from '#web/features/patients/list/patients-search.ts'

describe('the search parameters of the list', () => {
  it('are empty by default', () => {
    expect(parsePatientsSearch({})).toEqual({})
  })

  it('contain search, sort order and page', () => {
    expect(parsePatientsSearch({ search: 'hoper', sort: '-dateOfBirth', page: 3 })).toEqual({
      search: 'hoper',
      sort: '-dateOfBirth',
      page: 3,
    })
  })

  it('sort by the date that the list shows, also in older links', () => {
    expect(parsePatientsSearch({ sort: '-updatedAt' })).toEqual({ sort: '-lastVisit' })
  })

  it('accept a search that the router parsed as a number', () => {
    expect(parsePatientsSearch({ search: 6_175_550_123 })).toEqual({ search: '6175550123' })
  })

  it.each([
    [{ page: 1 }],
    [{ page: 0 }],
    [{ page: -2 }],
    [{ page: 1.5 }],
    [{ page: 'second' }],
    [{ page: 1e9 }],
    [{ sort: 'password' }],
    [{ search: '   ' }],
    [{ search: { deep: true } }],
    [{ search: null, sort: null, page: null }],
  ])('drop invalid values: %o', (raw) => {
    expect(parsePatientsSearch(raw)).toEqual({})
  })

  it('drop structured values', () => {
    expect(parsePatientsSearch({ search: [], sort: {}, page: { toString: 0 } })).toEqual({})
  })

  it('never fail, and parse to themselves, for any input', () => {
    fc.assert(
      fc.property(fc.record({ search: fc.anything(), sort: fc.anything(), page: fc.anything() }), (raw) => {
        const parsed = parsePatientsSearch(raw)
        expect(parsePatientsSearch(parsed)).toEqual(parsed)
      }),
    )
  })
})

describe('the sort order of the list', () => {
  it('is by name, and by best match in a search', () => {
    expect(toTableSort({})).toEqual({ id: 'name', desc: false })
    expect(toTableSort({ search: 'hoper' })).toBeNull()
  })

  it('by name is in the address of a search only, where it is not the default', () => {
    expect(toPatientSort({ id: 'name', desc: false }, {})).toBeUndefined()
    expect(toPatientSort({ id: 'name', desc: false }, { search: 'hoper' })).toBe('name')
    expect(toPatientSort(null, { sort: '-name' })).toBeUndefined()
  })

  it.each(PatientSort.options.filter((sort) => sort !== 'name'))('%s is shown as requested', (sort) => {
    expect(toPatientSort(toTableSort({ sort }), {})).toBe(sort)
  })
})
