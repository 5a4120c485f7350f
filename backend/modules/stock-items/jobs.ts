import { z } from 'zod'
import { toLocalDate } from '#contracts/values/calendar.ts'
import { PracticeId, StockItemId, SupplyOrderId } from '#contracts/values/ids.ts'
import { isLow } from '#contracts/values/stock-items.ts'
import { followUpRetry } from '#modules/kit/follow-up.ts'
import { defineJob } from '#modules/module.ts'
import { findTimeZone } from '#modules/practices/public.ts'
import { processContext } from '#modules/kit/process-context.ts'
import { findArrivals, loadOrder, proposeOrder } from '#modules/supply-orders/public.ts'
import { waitForReadModels } from '#modules/kit/wait-for-read-models.ts'
import { Cause } from '#process-managers/process-manager.ts'
import { stockItemDecider } from './decider.ts'
import { stockJobNames } from './process-manager.ts'
import { findItemsByKey } from './queries.ts'

/** Proposes an order of an item of which little is left, unless it is on an order that has not arrived. */
export const proposeSupplyOrder = defineJob({
  name: stockJobNames.propose,
  data: z.strictObject({ cause: Cause, practiceId: PracticeId, stockItemId: StockItemId }),
  retry: followUpRetry,
  // One after the other: orders of the same supplier become one.
  concurrency: 1,
  async run(services, { practiceId, stockItemId, cause }, { id }) {
    const { state } = await services.bus.load(stockItemDecider, stockItemId)
    if (!state.exists || state.status !== 'active') return
    if (!state.fields.autoReorderEnabled || !isLow(state.fields)) return
    await waitForReadModels(services, ['SupplyOrderCreated', 'PracticeSetUp'])
    const { name, supplierName, reorderQuantity, unitPriceCents } = state.fields
    await proposeOrder(services, {
      practiceId,
      supplierName,
      item: { name, quantity: reorderQuantity, unitPriceCents, receivedQuantity: 0 },
      idempotencyKey: id,
      context: processContext(stockJobNames.propose, practiceId, cause),
    })
  },
})

/** Adds what has arrived of a delivered order to the stock: once, however often this job runs. */
export const receiveSupplyOrder = defineJob({
  name: stockJobNames.receive,
  data: z.strictObject({ cause: Cause, practiceId: PracticeId, supplyOrderId: SupplyOrderId }),
  retry: followUpRetry,
  async run(services, { practiceId, supplyOrderId, cause }, { id }) {
    const { bus, db, clock } = services
    const order = await loadOrder(bus, practiceId, supplyOrderId)
    if (!order) return
    await waitForReadModels(services, ['StockItemCreated', 'PracticeSetUp'])
    const arrivals = findArrivals(order.orderItems)
    const found = await findItemsByKey(db, practiceId, [...arrivals.keys()])
    const today = toLocalDate(clock().toISOString(), await findTimeZone(db, practiceId))
    const context = processContext(stockJobNames.receive, practiceId, cause)
    // Of two items with one name, the older one is the one.
    for (const { id: itemId, key } of found.filter(
      (item, index) => found.findIndex((each) => each.key === item.key) === index,
    )) {
      const { state, revision } = await bus.load(stockItemDecider, itemId)
      if (!state.exists || revision === 'no-stream') continue
      const quantityOnHand = state.fields.quantityOnHand + (arrivals.get(key) ?? 0)
      const command = { type: 'Change', practiceId, today, change: { quantityOnHand } } as const
      // A user who counts at the same moment makes this job run again.
      await bus.execute(stockItemDecider, itemId, command, context, {
        idempotencyKey: `${id}:${itemId}`,
        expectedRevision: revision,
      })
    }
  },
})
