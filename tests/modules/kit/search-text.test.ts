import { describe, expect, it } from 'vitest'
import { normalizeDates, parseRecordId } from '#modules/kit/search-text.ts'

describe('dates in a search', () => {
  it.each([
    ['Feb 3, 1980', '1980-02-03'],
    ['ada FEBRUARY 3rd 1980 lee', 'ada 1980-02-03 lee'],
    ['Sept. 12, 2026', '2026-09-12'],
    ['3 Feb 1980', '1980-02-03'],
    ['May 3, 2026 and June 4, 2026', '2026-05-03 and 2026-06-04'],
    ['Febr 29, 1980', '1980-02-29'],
    ['Feb 29, 1981', 'Feb 29, 1981'],
    ['Mayer 3, 1980', 'Mayer 3, 1980'],
    ['Feb 3', 'Feb 3'],
    ['Ma 3, 1980', 'Ma 3, 1980'],
  ])('%s', (typed, normalized) => {
    expect(normalizeDates(typed)).toBe(normalized)
  })

  it.each([
    ['Feb 3', '--02-03'],
    ['29 February', '--02-29'],
    ['Feb 31', 'Feb 31'],
    ['Feb 3 617', '--02-03 617'],
    ['June Carter', 'June Carter'],
  ])('without a year: %s', (typed, normalized) => {
    expect(normalizeDates(typed, { isYearOptional: true })).toBe(normalized)
  })
})

describe('the id of a record in a search', () => {
  it.each([
    ['018F3b1e', ['018f3b1e-0000-0000-0000-000000000000', '018f3b1e-ffff-ffff-ffff-ffffffffffff']],
    [' 018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0001 ', Array.from({ length: 2 }, () => '018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0001')],
    ['018f3b1', null],
    ['018f3b1g', null],
    ['018f3b1e ada', null],
  ])('%s', (typed, range) => {
    const ids = parseRecordId(typed)
    expect(ids && [ids.first, ids.last]).toEqual(range)
  })
})
