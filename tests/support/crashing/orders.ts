import { z } from 'zod'
import type { Decider } from '#eventstore/decider.ts'
import { event } from '#eventstore/event.ts'
import { defineJob, type Module } from '#modules/module.ts'
import { defineProcessManager } from '#process-managers/process-manager.ts'

const OrderEvent = z.discriminatedUnion('type', [
  event('OrderPlaced', { orderId: z.uuid() }),
  event('OrderPaid', { orderId: z.uuid() }),
])
type OrderEvent = z.infer<typeof OrderEvent>
type State = { orderId: string | null; paid: boolean }

/** Decides the payment of an order, once. */
const orderDecider: Decider<{ type: 'Pay' }, OrderEvent, State> = {
  category: 'order',
  events: OrderEvent,
  initial: { orderId: null, paid: false },
  decide: (_, { orderId, paid }) => (paid || orderId === null ? [] : [{ type: 'OrderPaid', data: { orderId } }]),
  evolve: (state, { type, data }) => ({ orderId: data.orderId, paid: state.paid || type === 'OrderPaid' }),
}

const payOrder = 'pay-order'

const payments = defineProcessManager<OrderEvent>({
  name: 'payments',
  on: { OrderPlaced: ({ data: { orderId } }) => [{ job: payOrder, data: { orderId } }] },
})

/** A module whose job pays every placed order at a vendor once and then records the payment. */
export const createOrdersModule = (vendorUrl: string): Module => ({
  name: 'orders',
  events: [OrderEvent],
  processManagers: [payments],
  jobs: [
    defineJob({
      name: payOrder,
      data: z.strictObject({ orderId: z.uuid() }),
      async run({ bus }, { orderId }, { id, signal }) {
        const { state } = await bus.load(orderDecider, orderId)
        if (state.paid) return
        const paid = await fetch(vendorUrl, {
          method: 'POST',
          headers: { 'idempotency-key': id },
          body: orderId,
          signal,
        })
        if (!paid.ok) throw new Error('The vendor is away')
        const context = {
          practiceId: null,
          actor: { kind: 'process' as const, name: payOrder },
          correlationId: id,
        }
        await bus.execute(orderDecider, orderId, { type: 'Pay' }, context, { idempotencyKey: `${id}:paid` })
      },
    }),
  ],
})
