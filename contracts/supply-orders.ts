import { z } from 'zod'
import { recordEndpoints, recordMeta, recordRevision } from './records.ts'
import { CalendarDate } from './values/dates.ts'
import { SupplyOrderId, UserId } from './values/ids.ts'
import { SupplyOrderStatus } from './values/supply-orders.ts'
import { line, optionalLine, optionalText } from './values/text.ts'

const quantity = z
  .number({ error: 'Please enter a number' })
  .int('Please enter a whole number')
  .max(100_000, 'Please enter at most 100,000')

/** An item of an order, with its price in cents and what has arrived of it. */
export const SupplyOrderItem = z.strictObject({
  name: line(200).pipe(z.string().min(1, 'Please enter the item')),
  quantity: quantity.min(1, 'Please enter 1 or more'),
  unitPriceCents: z
    .number({ error: 'Please enter a price' })
    .int('Please enter a price with at most two decimals')
    .min(0, 'Please enter 0 or more')
    .max(100_000_00, 'Please enter at most 100,000.00'),
  receivedQuantity: quantity.min(0, 'Please enter 0 or more').default(0),
})
export type SupplyOrderItem = z.infer<typeof SupplyOrderItem>

/** An order of medical supplies. Dates are YYYY-MM-DD; `totalCents` is the price of all items. */
export const SupplyOrder = z.object({
  id: SupplyOrderId,
  supplierName: z.string(),
  orderNumber: z.string().nullable(),
  orderItems: z.array(SupplyOrderItem),
  totalCents: z.number().int(),
  orderStatus: SupplyOrderStatus,
  isAutomatic: z.boolean(),
  orderedBy: UserId.nullable(),
  orderedOn: z.string().nullable(),
  expectedDelivery: z.string().nullable(),
  deliveredOn: z.string().nullable(),
  trackingNumber: z.string().nullable(),
  notes: z.string().nullable(),
  ...recordMeta,
})
export type SupplyOrder = z.infer<typeof SupplyOrder>

const fields = {
  supplierName: line(200).pipe(z.string().min(1, 'Please enter the supplier')),
  orderNumber: optionalLine(100),
  orderItems: z.array(SupplyOrderItem).min(1, 'Please enter at least one item').max(200, 'At most 200 items'),
  expectedDelivery: CalendarDate.nullable(),
  trackingNumber: optionalLine(100),
  notes: optionalText(2_000),
}

export const NewSupplyOrder = z.strictObject({
  ...fields,
  orderNumber: fields.orderNumber.default(null),
  expectedDelivery: fields.expectedDelivery.default(null),
  trackingNumber: fields.trackingNumber.default(null),
  notes: fields.notes.default(null),
})

export const SupplyOrderChange = z.strictObject({
  ...z.strictObject(fields).partial().shape,
  orderStatus: SupplyOrderStatus.optional(),
  ...recordRevision,
})

const calls = recordEndpoints({
  path: '/api/supply-orders',
  id: SupplyOrderId,
  read: 'scheduling',
  write: 'scheduling',
  status: SupplyOrderStatus,
  filters: {},
  reply: SupplyOrder,
  add: NewSupplyOrder,
  change: SupplyOrderChange,
})

/** Lists orders of supplies, newest first. `search` matches the supplier and the number of the order. */
export const listSupplyOrders = calls.list

/** The records of a filtered list as a CSV file, newest first, at most 10,000. */
export const exportSupplyOrders = calls.exportCsv

/** An order with its history, newest first. */
export const getSupplyOrder = calls.get

/** Adds an order that is not placed yet. */
export const addSupplyOrder = calls.add

/**
 * Changes an order or its status: pending, ordered, delivered, or cancelled. Once it is ordered, only the received quantities of its
 * items change: 409 `already-ordered`. 409 `changed-meanwhile` when another user has changed it since `revision`.
 */
export const changeSupplyOrder = calls.change
