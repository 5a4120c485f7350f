import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseDollars, formatDollars } from '#web/features/settings/practice/dollars.ts'

describe('dollars', () => {
  it.each([
    [0, '0.00'],
    [5, '0.05'],
    [90_00, '90.00'],
    [1_234_56, '1,234.56'],
    [100_000_000, '1,000,000.00'],
  ])('formats %i cents as %s', (cents, shown) => {
    expect(formatDollars(cents)).toBe(shown)
  })

  it.each([
    ['90', 90_00],
    ['$90', 90_00],
    [' 90.5 ', 90_50],
    ['90.', 90_00],
    ['1,234.56', 1_234_56],
    ['1234.56', 1_234_56],
    // Floating-point arithmetic would result in 114 and 28.
    ['1.15', 115],
    ['0.29', 29],
    ['', Number.NaN],
    ['ten', Number.NaN],
    ['-5', Number.NaN],
    ['1.005', Number.NaN],
    ['1,23', Number.NaN],
    ['1e3', Number.NaN],
    ['9'.repeat(40), Number.NaN],
  ])('parses "%s" as %d cents', (text, cents) => {
    expect(parseDollars(text)).toBe(cents)
  })

  it('parses what it formats', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000_000 }), (cents) => {
        expect(parseDollars(formatDollars(cents))).toBe(cents)
      }),
    )
  })
})
