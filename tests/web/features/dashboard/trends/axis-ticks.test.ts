import fc from 'fast-check'
import { expect, it } from 'vitest'
import { computeIntegerTicks } from '#web/features/dashboard/trends/axis-ticks.ts'

it.each([
  [1, [0, 1]],
  [2, [0, 1, 2]],
  [24, [0, 5, 10, 15, 20, 25]],
  [101, [0, 50, 100, 150]],
])('marks an axis up to %i with whole numbers', (highest, marks) => expect(computeIntegerTicks(highest)).toEqual(marks))

it('never marks halves, never more than seven, and always reaches the highest', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000_000 }), (highest) => {
      const marks = computeIntegerTicks(highest)
      expect(marks.every(Number.isInteger)).toBe(true)
      expect(marks.length).toBeLessThanOrEqual(7)
      expect(marks.at(-1)).toBeGreaterThanOrEqual(highest)
    }),
  )
})
