import * as contract from '#contracts/stock-items.ts'
import { isLow } from '#contracts/values/stock-items.ts'
import type { Module } from '#modules/module.ts'
import { recordRoutes } from '#modules/records/requests/public.ts'
import { stockItemDecider } from './decider.ts'
import { StockItemEvent, stockItemEvents } from './events.ts'
import { proposeSupplyOrder, receiveSupplyOrder } from './jobs.ts'
import { keepStock } from './process-manager.ts'
import { stockItemsProjection } from './projection.ts'
import { stockItemReader } from './queries.ts'

/** The medical supplies that practices keep, with the orders that are proposed when little is left. */
export const stockItems: Module = {
  name: 'stock-items',
  events: [StockItemEvent],
  projections: [stockItemsProjection],
  processManagers: [keepStock],
  jobs: [proposeSupplyOrder, receiveSupplyOrder],
  liveUpdates: [{ kinds: ['records'], events: [StockItemEvent] }],
  routes: (services) =>
    recordRoutes(services, {
      noun: 'item',
      events: stockItemEvents,
      decider: stockItemDecider,
      reader: stockItemReader,
      endpoints: {
        list: contract.listStockItems,
        exportCsv: contract.exportStockItems,
        get: contract.getStockItem,
        add: contract.addStockItem,
        change: contract.changeStockItem,
      },
      derive: (item) => ({ isLow: item.status === 'active' && isLow(item) }),
    }),
}
