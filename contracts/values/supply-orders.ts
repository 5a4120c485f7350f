import { z } from 'zod'

/** The status of an order of supplies. */
export const SupplyOrderStatus = z.enum(['pending', 'ordered', 'delivered', 'cancelled'], {
  error: 'Please choose a status',
})
export type SupplyOrderStatus = z.infer<typeof SupplyOrderStatus>

/** An item of an order. `receivedQuantity` is what has arrived of it. */
export type SupplyItem = { name: string; quantity: number; unitPriceCents: number; receivedQuantity: number }

/** Returns the price of an order in cents. */
export const computeOrderTotal = (items: readonly SupplyItem[]): number =>
  items.reduce((sum, { quantity, unitPriceCents }) => sum + quantity * unitPriceCents, 0)
