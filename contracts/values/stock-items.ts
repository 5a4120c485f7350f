import { z } from 'zod'

/** The status of an item of the stock. A `retired` one is not used any more. */
export const StockItemStatus = z.enum(['active', 'retired'], { error: 'Please choose a status' })
export type StockItemStatus = z.infer<typeof StockItemStatus>

/** The number of an item that is left, and the one at which an order is proposed. */
type Level = { quantityOnHand: number; reorderThreshold: number }

/** Returns whether little is left of an item: as much as its threshold, or less. */
export const isLow = ({ quantityOnHand, reorderThreshold }: Level): boolean => quantityOnHand <= reorderThreshold

/** Returns the name by which an item of an order is found in the stock: without regard to case and outer spaces. */
export const toStockKey = (name: string): string => name.trim().toLowerCase()
