import { z } from 'zod'
import { StockItemId } from '#contracts/values/ids.ts'
import { defineRecordEvents } from '#modules/records/events.ts'

const count = z.number().int().min(0)

/** The history of an item of the stock. */
export const stockItemEvents = defineRecordEvents({
  names: { created: 'StockItemCreated', changed: 'StockItemChanged' },
  id: { field: 'stockItemId', schema: StockItemId },
  patient: 'none',
  statusField: 'itemStatus',
  fields: {
    name: z.string(),
    supplierName: z.string(),
    quantityOnHand: count,
    reorderThreshold: count,
    reorderQuantity: count,
    unitPriceCents: count,
    autoReorderEnabled: z.boolean(),
    notes: z.string().nullable(),
  },
  initialStatus: 'active',
  transitions: {
    StockItemRetired: { from: ['active'], to: 'retired', data: {} },
    StockItemRestored: { from: ['retired'], to: 'active', data: {} },
  },
})

export const StockItemEvent = stockItemEvents.schema
export type StockItemEvent = z.infer<typeof StockItemEvent>
