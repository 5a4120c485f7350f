import { reject } from '#eventstore/decider.ts'
import { type RecordCommand, recordDecider } from '#modules/records/public.ts'
import { type OrderDefinition, orderEvents } from './events.ts'

type Item = Extract<RecordCommand<OrderDefinition>, { type: 'Create' }>['fields']['orderItems'][number]

const describeItems = (items: readonly Item[]) =>
  JSON.stringify(items.map(({ name, quantity, unitPriceCents }) => [name, quantity, unitPriceCents]))

/** The rules of an order: the supplier has read it, so that afterwards only what has arrived changes. */
export const orderDecider = recordDecider(orderEvents, {
  category: 'supply-order',
  noun: 'order',
  rules(command, { status, fields }) {
    if (command.type !== 'Change' || status === 'pending') return undefined
    const { supplierName = fields.supplierName, orderItems = fields.orderItems } = command.change
    if (supplierName !== fields.supplierName)
      return reject('already-ordered', 'This order was placed with its supplier.', 'supplierName')
    return describeItems(orderItems) === describeItems(fields.orderItems)
      ? undefined
      : reject('already-ordered', 'This order was placed. Only the received quantities change.', 'orderItems')
  },
})
