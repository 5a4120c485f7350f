import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { PracticeId, StockItemId, SupplyOrderId } from '#contracts/values/ids.ts'
import type { StockItemEvent } from '#modules/stock-items/events.ts'
import { stockItems } from '#modules/stock-items/module.ts'
import { keepStock } from '#modules/stock-items/process-manager.ts'
import type { SupplyOrderEvent } from '#modules/supply-orders/events.ts'
import { findArrivals } from '#modules/supply-orders/propose-order.ts'
import { practiceId, uuid } from '#tests/modules/appointments/fixtures.ts'
import { requestsOf } from '#tests/modules/appointments/follow-ups.ts'

const stockItemId = StockItemId.parse(uuid(8, 1))
const supplyOrderId = SupplyOrderId.parse(uuid(8, 2))
const ofItem = { stockItemId, practiceId: PracticeId.parse(practiceId) }
const ofOrder = { supplyOrderId, practiceId: PracticeId.parse(practiceId) }
const requests = (event: StockItemEvent | SupplyOrderEvent) => requestsOf(keepStock, stockItems, event)

describe('the process manager of the stock', () => {
  it('looks at an item that was counted, and at one that is used again', () => {
    const look = expect.objectContaining({ job: 'propose-supply-order', stockItemId })
    const counted = { type: 'StockItemChanged', data: { ...ofItem, from: {}, to: { quantityOnHand: 3 } } } as const
    expect(requests(counted)).toEqual([look])
    expect(requests({ type: 'StockItemRestored', data: ofItem })).toEqual([look])
    expect(requests({ type: 'StockItemRetired', data: ofItem })).toEqual([])
  })

  it('adds what an order has brought, once it is delivered', () => {
    const delivered = { type: 'SupplyOrderDelivered', data: { ...ofOrder, deliveredOn: '2026-11-28' } } as const
    expect(requests(delivered)).toEqual([expect.objectContaining({ job: 'receive-supply-order', supplyOrderId })])
    expect(requests({ type: 'SupplyOrderCancelled', data: ofOrder })).toEqual([])
  })
})

describe('what has arrived', () => {
  const item = (name: string, quantity: number, receivedQuantity: number) => ({
    name,
    quantity,
    receivedQuantity,
    unitPriceCents: 1_00,
  })

  it('is what was counted, or everything when no one counted', () => {
    expect([...findArrivals([item('Gloves', 10, 4), item('Masks', 5, 0)])]).toEqual([['gloves', 4]])
    expect([...findArrivals([item('Gloves', 10, 0), item(' GLOVES ', 5, 0)])]).toEqual([['gloves', 15]])
  })

  it('is never more than the order, and never less than what was counted', () => {
    const ordered = fc
      .tuple(fc.constantFrom('Gloves', 'gloves ', 'Masks'), fc.integer({ min: 1, max: 50 }), fc.nat({ max: 50 }))
      .map(([name, quantity, received]) => item(name, quantity, Math.min(quantity, received)))
    fc.assert(
      fc.property(fc.array(ordered, { maxLength: 6 }), (items) => {
        const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0)
        const arrived = sum([...findArrivals(items).values()])
        const counted = sum(items.map(({ receivedQuantity }) => receivedQuantity))
        expect(arrived).toBe(counted > 0 ? counted : sum(items.map(({ quantity }) => quantity)))
      }),
    )
  })
})
