import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import { SupplyOrderId } from '#contracts/values/ids.ts'
import { recordReader } from '#modules/records/requests/public.ts'
import { inScope, type RecordScope } from '#modules/samples/public.ts'
import { orderEvents } from './events.ts'
import { ordersProjection } from './projection.ts'

/** The queries of orders. */
export const orderReader = recordReader(orderEvents, ordersProjection, ['supplierName', 'orderNumber'])

const OrderCounts = z.object({
  total: z.number(),
  autoOrdered: z.number(),
  pending: z.number(),
  delivered: z.number(),
  proposed: z.number(),
})

/**
 * Counts the orders of a scope. `pending` are those that have not arrived; `autoOrdered` those that a process created, `proposed`
 * those of them that no person has ordered. */
export const countOrders = (db: CommonQueryMethods, scope: RecordScope): Promise<z.infer<typeof OrderCounts>> =>
  db.one(sql.type(OrderCounts)`
    select count(*)::int4 as total,
      count(*) filter (where o.is_automatic)::int4 as "autoOrdered",
      count(*) filter (where o.status in ('pending', 'ordered'))::int4 as pending,
      count(*) filter (where o.status = 'delivered')::int4 as delivered,
      count(*) filter (where o.is_automatic and o.status = 'pending')::int4 as proposed
    from read.supply_orders o where ${inScope(scope, 'o')}`)

const OpenOrder = z.object({
  id: SupplyOrderId,
  status: z.enum(['pending', 'ordered']),
  supplierName: z.string(),
  isAutomatic: z.boolean(),
  itemNames: z.array(z.string()),
})

/** Finds the orders of a practice that have not arrived, the newest first. */
export const findOpenOrders = (
  db: CommonQueryMethods,
  practiceId: string,
): Promise<readonly z.infer<typeof OpenOrder>[]> =>
  db.any(sql.type(OpenOrder)`
    select o.id, o.status, o.supplier_name as "supplierName", o.is_automatic as "isAutomatic",
      array(select item->>'name' from jsonb_array_elements(o.order_items) as item) as "itemNames"
    from read.supply_orders o where o.practice_id = ${practiceId} and o.status in ('pending', 'ordered')
    order by o.created_at desc, o.id limit 500`)
