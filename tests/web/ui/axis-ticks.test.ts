import fc from 'fast-check'
import { expect, it } from 'vitest'
import { computeIntegerTicks, selectLabels } from '#web/ui/axis-ticks.ts'

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

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

it('shows all labels where there is room, and fewer, among them the last, on a phone', () => {
  expect(selectLabels(weekdays, 640)).toEqual(weekdays)
  expect(selectLabels(weekdays, 108)).toEqual(['Mon', 'Thu', 'Sun'])
  expect(selectLabels(weekdays, 0)).toEqual(['Sun'])
  expect(selectLabels([], 640)).toEqual([])
})

it('selects evenly spaced labels that do not overlap, eight at most', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 90 }), fc.integer({ min: 60, max: 2_000 }), (count, widthPx) => {
      const labels = Array.from({ length: count }, (_, index) => `Day ${String(index).padStart(2, '0')}`)
      const selected = selectLabels(labels, widthPx)
      expect(selected.length).toBeLessThanOrEqual(8)
      expect(selected.length * 48).toBeLessThanOrEqual(Math.max(widthPx, 48))
      expect(selected.at(-1)).toBe(labels.at(-1))
      expect(
        new Set(selected.slice(1).map((label, index) => labels.indexOf(label) - labels.indexOf(selected[index] ?? '')))
          .size,
      ).toBeLessThanOrEqual(1)
    }),
  )
})
