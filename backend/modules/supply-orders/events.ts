import { z } from 'zod'
import { SupplyOrderId, UserId } from '#contracts/values/ids.ts'
import { defineRecordEvents } from '#modules/records/events.ts'

const count = z.number().int().min(0)

/** The history of an order of supplies. */
export const orderEvents = defineRecordEvents({
  names: { created: 'SupplyOrderCreated', changed: 'SupplyOrderChanged' },
  id: { field: 'supplyOrderId', schema: SupplyOrderId },
  patient: 'none',
  statusField: 'orderStatus',
  fields: {
    supplierName: z.string(),
    orderNumber: z.string().nullable(),
    orderItems: z.array(
      z.strictObject({ name: z.string(), quantity: count, unitPriceCents: count, receivedQuantity: count }),
    ),
    /** True for an order that a process has created. */
    isAutomatic: z.boolean(),
    expectedDelivery: z.iso.date().nullable(),
    trackingNumber: z.string().nullable(),
    notes: z.string().nullable(),
  },
  initialStatus: 'pending',
  transitions: {
    SupplyOrderPlaced: { from: ['pending'], to: 'ordered', data: { orderedBy: UserId, orderedOn: z.iso.date() } },
    SupplyOrderDelivered: { from: ['ordered'], to: 'delivered', data: { deliveredOn: z.iso.date() } },
    SupplyOrderCancelled: { from: ['pending', 'ordered'], to: 'cancelled', data: {} },
  },
})

export type OrderDefinition = (typeof orderEvents)['definition']

export const SupplyOrderEvent = orderEvents.schema
export type SupplyOrderEvent = z.infer<typeof SupplyOrderEvent>
