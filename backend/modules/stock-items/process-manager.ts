import { defineProcessManager, type JobRequest, toCause } from '#process-managers/process-manager.ts'
import type { Recorded } from '#eventstore/event.ts'
import type { SupplyOrderEvent } from '#modules/supply-orders/events.ts'
import type { StockItemEvent } from './events.ts'

/** The names of the jobs that this process manager requests; see jobs.ts. */
export const stockJobNames = { propose: 'propose-supply-order', receive: 'receive-supply-order' } as const

type Item = Extract<StockItemEvent, { type: 'StockItemCreated' | 'StockItemChanged' | 'StockItemRestored' }>

const propose = (event: Recorded<Item>): JobRequest[] => {
  const { practiceId, stockItemId } = event.data
  return [{ job: stockJobNames.propose, data: { practiceId, stockItemId, cause: toCause(event) } }]
}

/** Keeps the stock: proposes an order when little is left of an item, and adds what an order has brought. */
export const keepStock = defineProcessManager<StockItemEvent | SupplyOrderEvent>({
  name: 'keep-stock',
  on: {
    StockItemCreated: propose,
    StockItemChanged: propose,
    StockItemRestored: propose,
    SupplyOrderDelivered: (event) => {
      const { practiceId, supplyOrderId } = event.data
      return [{ job: stockJobNames.receive, data: { practiceId, supplyOrderId, cause: toCause(event) } }]
    },
  },
})
