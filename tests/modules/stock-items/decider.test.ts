import { describe, expect, it } from 'vitest'
import { change, decideAfter, move } from '#tests/modules/records/nouns/decide-after.ts'

describe('an item of the stock', () => {
  it('is counted again at any time, and an equal count is no change', () => {
    expect(decideAfter('item', 0, change({ quantityOnHand: 12 }))).toEqual(['StockItemChanged'])
    expect(decideAfter('item', 0, change({ quantityOnHand: 40 }))).toEqual([])
    expect(decideAfter('item', 1, change({ quantityOnHand: 0 }))).toEqual(['StockItemChanged'])
  })

  it('is retired and used again', () => {
    expect(decideAfter('item', 0, move('StockItemRestored'))).toEqual([])
    expect(decideAfter('item', 1, move('StockItemRestored'))).toEqual(['StockItemRestored'])
  })
})
