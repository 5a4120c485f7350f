import { describe, expect, it } from 'vitest'
import { parseImportSearch } from '#web/features/patients/import/import-search.ts'

describe('the search parameters of an import', () => {
  it('keeps an id and nothing else', () => {
    const id = '0190a1b2-3c4d-7e5f-8a6b-7c8d9e0f1a2b'
    expect(parseImportSearch({ id, more: 1 })).toEqual({ id })
    expect(parseImportSearch({ id: '../../etc' })).toEqual({})
  })
})
