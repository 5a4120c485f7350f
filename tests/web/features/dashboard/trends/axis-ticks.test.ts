import fc from 'fast-check'
import { expect, it } from 'vitest'
import { computeIntegerTicks } from '#web/features/dashboard/trends/axis-ticks.ts'

it.each([
  [1, [0, 1]],
  [2, [0, 1, 2]],
  [24, [0, 5, 10, 15, 20, 25]],
  [101, [0, 50, 100, 150]],
])('creates integer ticks up to %i', (highest, ticks) => expect(computeIntegerTicks(highest)).toEqual(ticks))

it('creates at most seven ticks, all integers, up to the maximum', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000_000 }), (highest) => {
      const ticks = computeIntegerTicks(highest)
      expect(ticks.every(Number.isInteger)).toBe(true)
      expect(ticks.length).toBeLessThanOrEqual(7)
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(highest)
    }),
  )
})
