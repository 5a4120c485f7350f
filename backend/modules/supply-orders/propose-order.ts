import { SupplyOrderId, type PracticeId } from '#contracts/values/ids.ts'
import { toStockKey } from '#contracts/values/stock-items.ts'
import type { SupplyItem } from '#contracts/values/supply-orders.ts'
import { toLocalDate } from '#contracts/values/calendar.ts'
import type { CommandContext } from '#eventstore/command.ts'
import type { CommandBus } from '#eventstore/command-bus.ts'
import { deriveId } from '#eventstore/derive-id.ts'
import type { Services } from '#modules/module.ts'
import { findTimeZone } from '#modules/practices/public.ts'
import { orderDecider } from './decider.ts'
import { findOpenOrders } from './queries.ts'

type Proposal = {
  practiceId: PracticeId
  supplierName: string
  item: SupplyItem
  /** The id of the job, by which a repetition is recognized. */
  idempotencyKey: string
  context: CommandContext
}

/**
 * Proposes to order an item: on the order to its supplier that is proposed already, or on a new one. A person places it. Does nothing
 * while the item is on an order that has not arrived. Throws ConcurrencyError when a user changes that order at the same moment.
 */
export async function proposeOrder(
  { bus, db, clock }: Pick<Services, 'bus' | 'db' | 'clock'>,
  { practiceId, supplierName, item, idempotencyKey, context }: Proposal,
): Promise<void> {
  const open = await findOpenOrders(db, practiceId)
  const key = toStockKey(item.name)
  if (open.some(({ itemNames }) => itemNames.some((name) => toStockKey(name) === key))) return
  const isProposal = (order: (typeof open)[number]) =>
    order.status === 'pending' && order.isAutomatic && toStockKey(order.supplierName) === toStockKey(supplierName)
  const proposed = open.find(isProposal)
  const loaded = proposed && (await bus.load(orderDecider, proposed.id))
  if (loaded?.state.exists && loaded.state.status === 'pending' && loaded.revision !== 'no-stream') {
    const today = toLocalDate(clock().toISOString(), await findTimeZone(db, practiceId))
    const orderItems = [...loaded.state.fields.orderItems, item]
    const command = { type: 'Change', practiceId, today, change: { orderItems } } as const
    const options = { idempotencyKey, expectedRevision: loaded.revision }
    await bus.execute(orderDecider, loaded.state.id, command, context, options)
    return
  }
  const id = SupplyOrderId.parse(deriveId(`supply order ${idempotencyKey}`))
  const fields = {
    supplierName,
    orderNumber: null,
    orderItems: [item],
    isAutomatic: true,
    expectedDelivery: null,
    trackingNumber: null,
    notes: null,
  }
  await bus.execute(orderDecider, id, { type: 'Create', id, practiceId, patientId: null, fields }, context, {
    idempotencyKey,
  })
}

/** Returns the items of an order of a practice, from the event store itself; null when there is none. */
export async function loadOrder(
  bus: CommandBus,
  practiceId: PracticeId,
  id: SupplyOrderId,
): Promise<{ orderItems: readonly SupplyItem[] } | null> {
  const { state } = await bus.load(orderDecider, id)
  return state.exists && state.practiceId === practiceId ? { orderItems: state.fields.orderItems } : null
}

/**
 * Returns what has arrived of the items of a delivered order, by their keys. Everything, if no one counted it: people who do not
 * count mark an order delivered when the parcel is there.
 */
export function findArrivals(items: readonly SupplyItem[]): Map<string, number> {
  const isCounted = items.some(({ receivedQuantity }) => receivedQuantity > 0)
  const arrivals = new Map<string, number>()
  for (const { name, quantity, receivedQuantity } of items) {
    const key = toStockKey(name)
    const arrived = isCounted ? receivedQuantity : quantity
    if (arrived > 0) arrivals.set(key, (arrivals.get(key) ?? 0) + arrived)
  }
  return arrivals
}
