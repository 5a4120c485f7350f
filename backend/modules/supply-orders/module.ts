import * as contract from '#contracts/supply-orders.ts'
import { computeOrderTotal } from '#contracts/values/supply-orders.ts'
import type { Module } from '#modules/module.ts'
import { recordRoutes } from '#modules/records/requests/public.ts'
import { orderDecider } from './decider.ts'
import { orderEvents, SupplyOrderEvent } from './events.ts'
import { ordersProjection } from './projection.ts'
import { orderReader } from './queries.ts'

/** Orders of medical supplies. */
export const supplyOrders: Module = {
  name: 'supply-orders',
  events: [SupplyOrderEvent],
  projections: [ordersProjection],
  liveUpdates: [{ kinds: ['records'], events: [SupplyOrderEvent] }],
  routes: (services) =>
    recordRoutes(services, {
      noun: 'order',
      events: orderEvents,
      decider: orderDecider,
      reader: orderReader,
      endpoints: {
        list: contract.listSupplyOrders,
        exportCsv: contract.exportSupplyOrders,
        get: contract.getSupplyOrder,
        add: contract.addSupplyOrder,
        change: contract.changeSupplyOrder,
      },
      complete: () => ({ isAutomatic: false }),
      completeMove: ({ caller, today }) => ({ orderedBy: caller.userId, orderedOn: today, deliveredOn: today }),
      derive: ({ orderItems }) => ({ totalCents: computeOrderTotal(orderItems) }),
    }),
}
