import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { groupBy } from '#web/ui/group-by.ts'

describe('groups of items', () => {
  it('are those of Map.groupBy', () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), fc.integer({ min: 1, max: 5 }), (items, divisor) => {
        const getKey = (item: number) => item % divisor
        expect([...groupBy(items, getKey)]).toEqual([...Map.groupBy(items, getKey)])
      }),
    )
  })
})
