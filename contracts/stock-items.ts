import { z } from 'zod'
import { recordEndpoints, recordMeta, recordRevision } from './records.ts'
import { StockItemId } from './values/ids.ts'
import { StockItemStatus } from './values/stock-items.ts'
import { line, optionalText } from './values/text.ts'

const quantity = z
  .number({ error: 'Please enter a number' })
  .int('Please enter a whole number')
  .min(0, 'Please enter 0 or more')
  .max(100_000, 'Please enter at most 100,000')

/**
 * A medical supply that the practice keeps. With `autoReorderEnabled`, an order of `reorderQuantity` is proposed when
 * `quantityOnHand` is at `reorderThreshold` or below; `isLow` says so. Prices are in cents.
 */
export const StockItem = z.object({
  id: StockItemId,
  name: z.string(),
  supplierName: z.string(),
  quantityOnHand: z.number().int(),
  reorderThreshold: z.number().int(),
  reorderQuantity: z.number().int(),
  unitPriceCents: z.number().int(),
  autoReorderEnabled: z.boolean(),
  itemStatus: StockItemStatus,
  isLow: z.boolean(),
  notes: z.string().nullable(),
  ...recordMeta,
})
export type StockItem = z.infer<typeof StockItem>

const fields = {
  name: line(200).pipe(z.string().min(1, 'Please enter the item')),
  supplierName: line(200).pipe(z.string().min(1, 'Please enter the supplier')),
  quantityOnHand: quantity,
  reorderThreshold: quantity,
  reorderQuantity: quantity.min(1, 'Please enter 1 or more'),
  unitPriceCents: z
    .number({ error: 'Please enter a price' })
    .int('Please enter a price with at most two decimals')
    .min(0, 'Please enter 0 or more')
    .max(100_000_00, 'Please enter at most 100,000.00'),
  autoReorderEnabled: z.boolean(),
  notes: optionalText(2_000),
}

export const NewStockItem = z.strictObject({
  ...fields,
  autoReorderEnabled: fields.autoReorderEnabled.default(false),
  notes: fields.notes.default(null),
})

export const StockItemChange = z.strictObject({
  ...z.strictObject(fields).partial().shape,
  itemStatus: StockItemStatus.optional(),
  ...recordRevision,
})

const calls = recordEndpoints({
  path: '/api/stock-items',
  id: StockItemId,
  read: 'scheduling',
  write: 'scheduling',
  status: StockItemStatus,
  filters: {},
  reply: StockItem,
  add: NewStockItem,
  change: StockItemChange,
})

/** Lists the items of the stock, newest first. `search` matches the item and its supplier. */
export const listStockItems = calls.list

/** The records of a filtered list as a CSV file, newest first, at most 10,000. */
export const exportStockItems = calls.exportCsv

/** An item with its history, newest first. */
export const getStockItem = calls.get

/** Adds an item to the stock. */
export const addStockItem = calls.add

/**
 * Changes an item, what is on hand of it, or its status: active, or retired when it is not used any more. 409 `changed-meanwhile`
 * when another user, or the delivery of an order, has changed it since `revision`.
 */
export const changeStockItem = calls.change
