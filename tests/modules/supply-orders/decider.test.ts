import { describe, expect, it } from 'vitest'
import { change, decideAfter } from '#tests/modules/records/nouns/decide-after.ts'

describe('an order', () => {
  const items = (quantity: number, receivedQuantity: number) =>
    change({ orderItems: [{ name: 'Gloves, size M', quantity, unitPriceCents: 8_99, receivedQuantity }] })
  it('changes once it is placed only in what has arrived', () => {
    expect(decideAfter('order', 0, items(12, 0))).toEqual(['SupplyOrderChanged'])
    expect(decideAfter('order', 1, items(12, 0))).toBe('already-ordered')
    expect(decideAfter('order', 1, items(10, 4))).toEqual(['SupplyOrderChanged'])
    expect(decideAfter('order', 1, change({ supplierName: 'Other' }))).toBe('already-ordered')
  })
})
