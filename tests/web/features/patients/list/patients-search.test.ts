import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PatientSort } from '#contracts/values/patient-sort.ts'
import { parsePatientsSearch, toPatientSort, toTableSort } from '#web/features/patients/list/patients-search.ts'

describe('the address of the list of patients', () => {
  it('says nothing for the list as it opens', () => {
    expect(parsePatientsSearch({})).toEqual({})
  })

  it('holds search, order and page', () => {
    expect(parsePatientsSearch({ search: 'hoper', sort: '-dateOfBirth', page: 3 })).toEqual({
      search: 'hoper',
      sort: '-dateOfBirth',
      page: 3,
    })
  })

  it('takes a number that was typed as a search, as a router reads it', () => {
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
  ])('leaves out what makes no sense: %o', (raw) => {
    expect(parsePatientsSearch(raw)).toEqual({})
  })

  it('leaves out what is no plain value', () => {
    expect(parsePatientsSearch({ search: [], sort: {}, page: { toString: 0 } })).toEqual({})
  })

  it('never fails and is its own reading, whatever somebody types', () => {
    fc.assert(
      fc.property(fc.record({ search: fc.anything(), sort: fc.anything(), page: fc.anything() }), (raw) => {
        const read = parsePatientsSearch(raw)
        expect(parsePatientsSearch(read)).toEqual(read)
      }),
    )
  })
})

describe('the order of the list', () => {
  it('is by name, and by best match in a search', () => {
    expect(toTableSort({})).toEqual({ id: 'name', desc: false })
    expect(toTableSort({ search: 'hoper' })).toBeNull()
  })

  it('by name stands in the address of a search only, where it is not what comes by itself', () => {
    expect(toPatientSort({ id: 'name', desc: false }, {})).toBeUndefined()
    expect(toPatientSort({ id: 'name', desc: false }, { search: 'hoper' })).toBe('name')
    expect(toPatientSort(null, { sort: '-name' })).toBeUndefined()
  })

  it.each(PatientSort.options.filter((sort) => sort !== 'name'))('%s is shown as it was asked for', (sort) => {
    expect(toPatientSort(toTableSort({ sort }), {})).toBe(sort)
  })
})
