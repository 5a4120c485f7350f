import fc from 'fast-check'
import { expect, it } from 'vitest'
import { formatCount, formatNumber } from '#web/ui/format.ts'
import { formatTabTitle } from '#web/ui/tab-title.ts'

it.each([
  [0, '0 patients'],
  [1, '1 patient'],
  [2, '2 patients'],
  [1_248, '1,248 patients'],
])('formats a count of %i', (count, text) => {
  expect(formatCount(count, 'patient')).toBe(text)
})

it('groups the digits of any number as Intl does', () => {
  const fractions = fc.double({ noNaN: true, min: -1e9, max: 1e9 }).map((number) => number + 0.125)
  fc.assert(
    fc.property(fc.oneof(fc.maxSafeInteger(), fractions), (number) => {
      expect(formatNumber(number)).toBe(number.toLocaleString('en-US'))
    }),
  )
})

it('names the product once in the title of a tab', () => {
  expect(formatTabTitle('Patient Management')).toBe('Patient Management, Everchart')
  expect(formatTabTitle('Everchart')).toBe('Everchart')
})
